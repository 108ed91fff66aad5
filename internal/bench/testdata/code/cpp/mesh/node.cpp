#include "node.hpp"

#include <algorithm>
#include <numeric>

namespace scene {

namespace {

double sum(double a, const NodePtr &n) { return a + n->area(); }

bool smaller(const NodePtr &a, const NodePtr &b) { return a->total() < b->total(); }

} // namespace

int &Node::count() {
    static int n = 0;
    return n;
}

Node::Node(Point at) : at_(at) { ++count(); }

Node::~Node() { --count(); }

void Node::draw(Canvas &canvas) const { canvas.rect(at_, area()); }

void Node::move(const Point &by) { at_ += by; }

void Node::move(double dx, double dy) { move(Point(dx, dy)); }

Node &Node::add(NodePtr child) {
    children_.push_back(std::move(child));
    return *this;
}

void Node::each(const Visit &visit) {
    visit(*this);
    for (auto &child : children_) {
        child->each(visit);
    }
}

double Node::total() const {
    double out = area();
    for (const auto &child : children_) out += child->total();
    return out;
}

double Box::check(double v) { return v < 0 ? 0 : v; }

double Group::area() const { return std::accumulate(children_.begin(), children_.end(), 0.0, sum); }

void Group::draw(Canvas &canvas) const {
    auto sorted = children_;
    std::sort(sorted.begin(), sorted.end(), smaller);
    for (auto it = sorted.begin(); it != sorted.end(); ++it) (*it)->draw(canvas);
    Node::draw(canvas);
}

void Canvas::rect(const Point &at, double) {
    if (hook_) hook_(at);
    mark();
}

void Canvas::mark() { ++lines_; }

void Canvas::close() { mark(); }

void prepare(Node &node) { node.move(0, 0); }

} // namespace scene
