#include <future>
#include <thread>
#include <functional>
#include <vector>
struct Res { int val() { return 1; } };
Res load(int n) { return Res(); }
void tick() {}
class Worker {
public:
    void start() { t_ = std::thread(&Worker::loop, this); }
    void launch() { std::thread([this] { loop(); }).join(); }
private:
    void loop() { step(); }
    void step() {}
    std::thread t_;
};
int main() {
    std::thread a(tick);
    a.join();
    auto f = std::async(std::launch::async, load, 3);
    f.get().val();
    std::future<Res> g = std::async([] { return load(2); });
    g.get().val();
    Worker w;
    w.start();
    w.launch();
    std::vector<std::thread> pool;
    pool.emplace_back(tick);
    std::call_once(*new std::once_flag, tick);
}
