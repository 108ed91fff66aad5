#include "registry.hpp"

namespace {

std::unique_ptr<Node> number(int value) { return std::make_unique<Number>(value); }

class Gauge : public Subject::Observer, public Counted<Gauge> {
public:
    void update(int value) override {
        last_ = value;
        touch();
    }
    void touched() { refresh(&Gauge::redraw); }

private:
    void refresh(void (Gauge::*step)()) { (this->*step)(); }
    void redraw() {}
    int last_ = 0;
};

class Log : public Subject::Observer {
public:
    void update(int value) override { lines_ += value; }
    int lines() const { return lines_; }

private:
    int lines_ = 0;
};

class Query {
public:
    class Builder {
    public:
        Builder &from(const char *table) {
            table_ = table;
            return *this;
        }
        Builder &limit(int n) {
            limit_ = check(n);
            return *this;
        }
        Query build() const { return Query(table_, limit_); }

    private:
        static int check(int n) { return n < 0 ? 0 : n; }
        const char *table_ = "";
        int limit_ = 0;
    };

    Query(const char *table, int limit) : table_(table), limit_(limit) {}
    int run() const { return limit_; }

private:
    const char *table_;
    int limit_;
};

struct Timer {
    explicit Timer(int &total) : total_(total) {}
    ~Timer() { stop(); }
    void stop() { ++total_; }
    int &total_;
};

int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }

std::string render(Node &node) {
    Printer printer;
    node.accept(printer);
    return printer.text();
}

int guarded(int n) {
    try {
        if (n > 3) throw std::string("big");
        return even(n);
    } catch (const std::string &text) {
        return odd(3);
    }
}

} // namespace

int main() {
    auto &registry = Registry::instance();
    registry.add("number", number);
    registry.add("sum", [](int value) { return std::make_unique<Sum>(number(value), number(1)); });
    auto tree = registry.make("sum", 2);
    render(*tree);
    Subject subject;
    Gauge gauge;
    Log log;
    subject.attach(&gauge);
    subject.attach(&log);
    subject.set(3);
    int total = 0;
    Timer timer(total);
    Query query = Query::Builder().from("t").limit(2).build();
    return query.run() + log.lines() + guarded(2);
}
