#include <functional>
#include <string>
#include <unordered_map>
#include <vector>
class Button {
public:
    using Cb = std::function<void(int)>;
    void onClick(Cb cb) { clicks_.push_back(std::move(cb)); }
    void setDone(std::function<void()> d) { done_ = std::move(d); }
    void click() {
        for (auto &c : clicks_) c(1);
        if (done_) done_();
    }
private:
    std::vector<Cb> clicks_;
    std::function<void()> done_;
};
static void logged(int) {}
static void finished() {}
class App {
public:
    App() {
        b_.onClick([this](int n) { handle(n); });
        b_.onClick(logged);
        b_.onClick(std::bind(&App::bound, this, std::placeholders::_1));
        b_.setDone(finished);
        actions_["go"] = [this] { go(); };
        actions_.emplace("stop", finished);
    }
    void run(const std::string &s) { b_.click(); actions_[s](); auto it = actions_.find(s); it->second(); }
private:
    void handle(int) {}
    void bound(int) {}
    void go() {}
    Button b_;
    std::unordered_map<std::string, std::function<void()>> actions_;
};
int main() { App a; a.run("go"); }
