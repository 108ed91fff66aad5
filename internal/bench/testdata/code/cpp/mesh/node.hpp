#pragma once
#include "vec.hpp"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scene {

using geo::Point;

class Node;
using NodePtr = std::shared_ptr<Node>;

template <typename Derived>
class Named {
public:
    std::string title() const { return derived().prefix() + "!"; }

private:
    const Derived &derived() const { return static_cast<const Derived &>(*this); }
};

class Node {
public:
    using Visit = std::function<void(Node &)>;

    explicit Node(Point at);
    virtual ~Node();

    virtual double area() const = 0;
    virtual void draw(class Canvas &canvas) const;
    void move(const Point &by);
    void move(double dx, double dy);
    Node &add(NodePtr child);
    void each(const Visit &visit);
    double total() const;
    static int alive() { return count(); }

protected:
    Point at_;
    std::vector<NodePtr> children_;

private:
    static int &count();
};

class Box final : public Node, public Named<Box> {
public:
    Box(Point at, double w, double h) : Node(at), w_(w), h_(check(h)) {}
    double area() const override { return w_ * h_; }
    std::string prefix() const { return "box"; }

private:
    static double check(double v);
    double w_, h_;
};

class Group : public Node {
public:
    using Node::Node;
    double area() const override;
    void draw(Canvas &canvas) const override;
};

class Canvas {
public:
    using Hook = void (*)(const Point &);

    explicit Canvas(Hook hook = nullptr) : hook_(hook) {}
    void rect(const Point &at, double area);
    void close();
    int lines() const { return lines_; }

private:
    void mark();
    Hook hook_;
    int lines_ = 0;
};

class Session {
public:
    explicit Session(Canvas &canvas) : canvas_(canvas) { open(); }
    ~Session() { canvas_.close(); }
    Canvas *operator->() { return &canvas_; }

private:
    void open() {}
    Canvas &canvas_;
};

template <typename T, typename... Args>
std::shared_ptr<T> make(Args &&...args) {
    auto made = std::make_shared<T>(std::forward<Args>(args)...);
    prepare(*made);
    return made;
}

void prepare(Node &node);

} // namespace scene
