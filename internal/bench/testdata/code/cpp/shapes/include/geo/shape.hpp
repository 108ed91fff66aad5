#pragma once
#include <memory>
#include <string>
#include <vector>

namespace geo {

class Shape {
public:
    explicit Shape(std::string name) : name_(std::move(name)) {}
    virtual ~Shape() {}
    virtual double area() const = 0;
    virtual std::string label() const { return decorate(name_); }
    double twice() const { return 2 * area(); }

protected:
    static std::string decorate(const std::string &text);

private:
    std::string name_;
};

class Circle : public Shape {
public:
    explicit Circle(double r);
    double area() const override;
    std::string label() const override;

private:
    double r_;
};

class Square final : public Shape {
public:
    explicit Square(double side) : Shape("square"), side_(side) {}
    double area() const override { return power(side_); }

private:
    double power(double v) const { return v * v; }
    double side_;
};

struct Pen {
    int width = 1;
    void draw(const Shape &shape);
    Pen &thick() {
        width = clamp(width + 1);
        return *this;
    }
    static int clamp(int v) { return v > 9 ? 9 : v; }
};

class Canvas {
public:
    Canvas() : pen_(), log_(new Log("canvas")) {}
    ~Canvas() { delete log_; }
    Canvas &add(std::unique_ptr<Shape> shape);
    double total() const;
    Pen &pen() { return pen_; }

    class Log {
    public:
        Log(const char *prefix) : prefix_(prefix) {}
        void line(const std::string &text);

    private:
        const char *prefix_;
    };

private:
    Pen pen_;
    Log *log_;
    std::vector<std::unique_ptr<Shape>> shapes_;
};

std::unique_ptr<Shape> make(const std::string &kind, double size);
double area(const Shape &shape);
double area(double width, double height);

} // namespace geo
