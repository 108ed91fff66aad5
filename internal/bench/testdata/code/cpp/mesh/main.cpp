#include "plan.hpp"
#include <iostream>

using namespace scene;
using geo::length;

Plan &Plan::with(const std::string &name, Maker maker) {
    makers_[name] = std::move(maker);
    return *this;
}

bool Plan::build(const std::string &name) {
    if (auto it = makers_.find(name); it != makers_.end()) {
        steps_.push_back(it->second());
        return true;
    }
    return false;
}

std::optional<int> Plan::apply(Node &root) {
    int done = 0;
    for (auto &step : steps_) {
        if (!(*step)(root)) return std::nullopt;
        ++done;
    }
    return done;
}

static std::unique_ptr<Step> limit() { return std::make_unique<Limit>(); }

static void trace(const geo::Point &at) { std::cout << at << ' ' << length(at) << '\n'; }

template <typename F>
auto twice(F f) {
    return [f](double v) { return f(f(v)); };
}

double half(double v) { return v / 2; }

int report(const Node &node) { return static_cast<int>(node.total()); }
int report(const Canvas &canvas) { return canvas.lines(); }

int main() {
    auto root = make<Group>(geo::Point::zero());
    auto box = make<Box>(geo::Point(1, 2), 3.0, twice(half)(8.0));
    root->add(box).add(std::make_shared<Group>(geo::Point{1, 1}));

    Plan plan;
    plan.with("limit", limit).with("shift", [] { return std::make_unique<Shift>(geo::Point(1, 0) + geo::Point(0, 1)); });
    plan.build("limit");
    plan.build("shift");
    plan.step<Shift>(geo::Point(2, 2) * 2.0);
    if (auto n = plan.apply(*root)) std::cout << *n;

    int seen = 0;
    root->each([&seen](Node &node) { seen += node.area() > 1; });

    Canvas canvas(&trace);
    {
        Session session(canvas);
        root->draw(canvas);
        session->lines();
    }
    void (Node::*nudge)(double, double) = &Node::move;
    (*box.*nudge)(1, 1);
    if (geo::Point(1, 1) == geo::Point(1, 1)) std::cout << box->title();
    return report(*root) + report(canvas) + Node::alive();
}
