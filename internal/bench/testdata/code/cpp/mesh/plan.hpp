#pragma once
#include "node.hpp"
#include <map>
#include <optional>

struct Step {
    virtual ~Step() = default;
    virtual bool run(scene::Node &node) = 0;
    bool operator()(scene::Node &node) { return run(node); }
};

class Shift : public Step {
public:
    explicit Shift(geo::Point by) : by_(by) {}
    bool run(scene::Node &node) override {
        node.move(by_);
        return true;
    }

private:
    geo::Point by_;
};

class Limit : public Step {
public:
    bool run(scene::Node &node) override { return within(node.area()); }

private:
    bool within(double a) const { return a < most; }
    static constexpr double most = 100;
};

template <typename... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

class Plan {
public:
    using Maker = std::function<std::unique_ptr<Step>()>;

    Plan &with(const std::string &name, Maker maker);
    template <typename S, typename... A>
    Plan &step(A &&...args) {
        steps_.push_back(std::make_unique<S>(std::forward<A>(args)...));
        return *this;
    }
    std::optional<int> apply(scene::Node &root);
    bool build(const std::string &name);

private:
    std::map<std::string, Maker> makers_;
    std::vector<std::unique_ptr<Step>> steps_;
};
