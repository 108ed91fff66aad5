#include "geo/shape.hpp"

using geo::Canvas;
namespace g = geo;

static double measure(const geo::Circle &circle) { return circle.area() + geo::area(circle); }

static geo::Canvas &prepared(Canvas &canvas) {
    canvas.add(g::make("circle", 1)).add(geo::make("square", 2));
    return canvas;
}

int main() {
    Canvas canvas;
    geo::Circle circle(2);
    auto square = std::make_unique<geo::Square>(3);
    geo::Shape *shape = new geo::Circle(4);
    canvas.pen().thick().draw(circle);
    double sum = prepared(canvas).total();
    sum += measure(circle) + square->area() + shape->area();
    sum += g::area(2, 3);
    sum += geo::Pen{}.clamp(3) + geo::Pen::clamp(4);
    delete shape;
    return sum > 0 ? 0 : 1;
}
