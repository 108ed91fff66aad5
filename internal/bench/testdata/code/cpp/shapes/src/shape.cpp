#include "geo/shape.hpp"

#include <cstdio>

namespace geo {

namespace {
double pi() { return 3.14; }
double circle(double r) { return pi() * r * r; }
} // namespace

std::string Shape::decorate(const std::string &text) { return "<" + text + ">"; }

Circle::Circle(double r) : Shape("circle"), r_(r) {}

double Circle::area() const { return circle(r_); }

std::string Circle::label() const { return "round " + Shape::label(); }

void Pen::draw(const Shape &shape) {
    std::puts(shape.label().c_str());
    width = clamp(width);
}

Canvas &Canvas::add(std::unique_ptr<Shape> shape) {
    log_->line(shape->label());
    shapes_.push_back(std::move(shape));
    return *this;
}

double Canvas::total() const {
    double sum = 0;
    for (const auto &shape : shapes_) {
        sum += shape->twice();
    }
    return sum;
}

void Canvas::Log::line(const std::string &text) { std::printf("%s %s\n", prefix_, text.c_str()); }

std::unique_ptr<Shape> make(const std::string &kind, double size) {
    if (kind == "circle") {
        return std::make_unique<Circle>(size);
    }
    return std::make_unique<Square>(size);
}

double area(const Shape &shape) { return shape.area(); }

double area(double width, double height) { return width * height; }

} // namespace geo
