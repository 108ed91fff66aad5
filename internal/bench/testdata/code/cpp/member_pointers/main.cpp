#include <functional>
#include <map>
#include <string>
class Robot {
public:
    void left() { move(-1); }
    void right() { move(1); }
    int size() const { return 1; }
    using Cmd = void (Robot::*)();
    Robot() { cmds_["l"] = &Robot::left; cmds_["r"] = &Robot::right; }
    void exec(const std::string &s) { (this->*cmds_[s])(); }
    void each(Cmd c) { (this->*c)(); }
private:
    void move(int) {}
    std::map<std::string, Cmd> cmds_;
};
int main() {
    Robot r;
    r.exec("l");
    r.each(&Robot::right);
    int (Robot::*sz)() const = &Robot::size;
    (r.*sz)();
    Robot *p = &r;
    (p->*sz)();
    auto f = std::mem_fn(&Robot::left);
    f(r);
    std::function<void(Robot &)> g = &Robot::right;
    g(r);
    std::invoke(&Robot::left, r);
    auto b = std::bind(&Robot::right, &r);
    b();
}
