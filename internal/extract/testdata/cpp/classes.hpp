#pragma once

// A shape.
// It has an area.
class Shape {
public:
    Shape() = default;
    Shape(const Shape &) = delete;
    virtual ~Shape() {}
    virtual double area() const = 0;
    double doubled() const { return this->area() * 2; }
    static Shape *make(int kind);

protected:
    int id_ = next(), count_{0};
    static int total;

private:
    static int next() { return ++total; }
};

int Shape::total = 0;

struct Point { double x, y; };

class Circle final : public Shape, private geo::Named<Circle> {
    using Base = Shape;
    enum class Color : int { Red, Green = 2 };
    enum Mode { Fast, /* not quick */ Slow };

public:
    using Shape::doubled;
    explicit Circle(double r, Point p = Point{0, 0}) : Shape(), Named<Circle>("circle"), r_(r), centre_(p), style_{r, 1} {
        log_ = new Logger("circle");
        this->on_ = [](int v) { return v; };
    }
    Circle() : Circle(1) {}
    double area() const override { return square(r_) * 3; }
    Circle &operator=(const Circle &) = default;
    bool operator==(const Circle &other) const { return r_ == other.r_; }
    double operator()(int i) const;
    operator bool() const { return r_ > 0; }
    void *operator new(size_t n);
    friend std::ostream &operator<<(std::ostream &out, const Circle &c) { return out << c.area(); }
    friend class Drawing;
    template <typename T> T as(T &&value) const { return std::forward<T>(value); }
    struct Inner {
        int depth;
        void reset() { depth = 0; }
    };

private:
    double r_;
    Point centre_;
    Style style_;
    Logger *log_;
    std::unique_ptr<Inner> inner_;
    int (*on_)(int);
    int flags : 3;
    union {
        int asInt;
        float asFloat;
    };
    Inner many_[4];
};

Circle::Inner *nested(Circle &c);

double Circle::operator()(int i) const { return i * r_; }

template <typename T, int Size = 4, class... Rest>
class Box : public Holder<T>::type {
public:
    Box(T value);
    ~Box();
    T get() const;

private:
    T value_;
};

template <typename T, int Size, class... Rest>
Box<T, Size, Rest...>::Box(T value) : value_(value) {}

template <typename T, int Size, class... Rest>
Box<T, Size, Rest...>::~Box() { release(); }

template <> struct Box<int> {
    int get() const { return 1; }
};

template <typename T> concept Drawable = requires(T t) { t.draw(); };
template <typename T> using Boxes = std::vector<Box<T>>;

class API_EXPORT Exported : public Shape {
public:
    Exported();
    void run() { helper(); }
    int field;
};
