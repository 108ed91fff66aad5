#include "text.hpp"

namespace {
struct Base {
    virtual ~Base() = default;
    virtual void step() { count(); }
    void count() { ++steps; }
    int steps = 0;
};

struct Middle : Base {
    using Base::count;
    void count(int n) { steps += n; }
};

struct Derived : Middle {
    using Super = Middle;
    void step() override {
        Super::step();
        count(2);
    }
};
} // namespace

namespace app {

using text::Builder;
using Settings = text::Builder::Options;

static std::string trimmed(const std::string &s) { return trim(s); }

std::string build() {
    using namespace text;
    Settings settings = Settings::defaults();
    Builder builder(settings);
    builder.append("a").append(1);
    return join(upper(builder.str()), show(builder));
}

} // namespace app

static int steps(Base &base) {
    base.step();
    return base.steps;
}

int main() {
    Derived derived;
    auto *plain = new Base;
    int n = steps(derived) + steps(*plain);
    std::string s = app::build() + app::trimmed(" x");
    text::Builder a, b;
    return a == b ? n : 0;
}
