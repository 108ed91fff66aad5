#include "bus.hpp"

static int light(const Event &event) { return event.size(); }
static int heavy(const Event &event) { return 10 * light(event); }

static void report(const Event &event) { heavy(event); }

class Counter {
public:
    void operator()(const Event &event) { add(event.size()); }
    void add(int n) { total_ += n; }
    int total() const { return total_; }

private:
    int total_ = 0;
};

class Listener {
public:
    explicit Listener(Bus &bus) {
        bus.on("open", [this](const Event &event) { opened(event); });
        bus.setFallback(report);
    }
    void opened(const Event &event) { counter_.add(event.size()); }

private:
    Counter counter_;
};

static Weigh pick(bool big) { return big ? heavy : light; }

static int run(Bus &bus) {
    Event event{"open"};
    bus.emit(event);
    int (*weigh)(const Event &) = light;
    int sum = weigh(event);
    weigh = &heavy;
    sum += (*weigh)(event);
    sum += choose(light, event);
    sum += pick(true)(event);
    return sum;
}

int main() {
    Bus bus;
    Listener listener(bus);
    Counter counter;
    counter(Event{"x"});
    auto twice = [](int n) { return n + n; };
    auto outer = [&](int n) {
        auto inner = [n, twice] { return twice(n); };
        return inner();
    };
    repeat(3, outer);
    repeat(2, [&counter](int n) { counter.add(n); });
    Queue<Listener> queue;
    queue.push(listener);
    queue.front().opened(Event{"y"});
    queue.each([](Listener &each) { each.opened(Event{"z"}); });
    int made = [] { return light(Event{"w"}); }();
    return made + run(bus) + counter.total();
}
