#pragma once
#include <cmath>
#include <ostream>

namespace geo {

template <typename T>
struct Vec {
    T x{}, y{};

    Vec() = default;
    Vec(T x_, T y_) : x(x_), y(y_) {}

    Vec &operator+=(const Vec &o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    T operator[](int i) const { return i == 0 ? x : y; }
    explicit operator bool() const { return x != T{} || y != T{}; }
    T dot(const Vec &o) const { return x * o.x + y * o.y; }
    static Vec zero() { return Vec(T{}, T{}); }
};

template <typename T>
Vec<T> operator+(Vec<T> a, const Vec<T> &b) {
    a += b;
    return a;
}

template <typename T>
Vec<T> operator*(const Vec<T> &a, T k) {
    return Vec<T>(a.x * k, a.y * k);
}

template <typename T>
bool near(T a, T b) {
    return std::abs(a - b) < T(1) / 1000;
}

template <typename T>
bool operator==(const Vec<T> &a, const Vec<T> &b) {
    return near(a.x, b.x) && near(a.y, b.y);
}

template <typename T>
T length(const Vec<T> &v) {
    return std::sqrt(v.dot(v));
}

template <typename T>
std::ostream &operator<<(std::ostream &out, const Vec<T> &v) {
    return out << v[0] << ' ' << v[1];
}

using Point = Vec<double>;

} // namespace geo
