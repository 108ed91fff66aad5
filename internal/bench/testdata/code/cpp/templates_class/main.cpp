#include "repo.hpp"
#include <string>
struct Order { void id() {} void ship() {} };
class OrderRepo : public Repo<std::string, Order> {
public:
    Order &latest() { return load("last"); }
    Order &other() { return this->load("x"); }
};
template <typename T> struct Box {
    T held;
    explicit Box(T t) : held(t) {}
    T *operator->() { return &held; }
    T get() { return held; }
};
template <> struct Box<int> { explicit Box(int) { special(); } void special() {} int get() { return 1; } };
template <typename T> T largest(T a, T b) { return a < b ? b : a; }
template <typename T> void process(T t) { t.ship(); }
template <typename T, typename... A> T construct(A... a) { return T(a...); }
int main() {
    OrderRepo repo;
    repo.save("a", Order());
    repo.latest().ship();
    repo.load("b").ship();
    repo.find("c")->ship();
    for (auto &o : repo.all()) o.ship();
    repo.first().value().ship();
    Box<Order> box(Order{});
    box->ship();
    box.get().ship();
    Box<int> ib(3);
    ib.get();
    process(Order());
    process<Order>(Order());
    largest(1, 2);
    construct<Order>().ship();
    Box deduced{Order()};
    deduced.get().ship();
}
