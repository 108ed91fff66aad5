#include <iostream>
class Vec {
public:
    Vec(int x) : x_(x) {}
    Vec operator+(const Vec &o) const { return Vec(get() + o.get()); }
    Vec &operator+=(const Vec &o) { *this = *this + o; return *this; }
    Vec operator-() const { return Vec(-x_); }
    Vec &operator++() { bump(); return *this; }
    Vec operator++(int) { Vec t = *this; ++*this; return t; }
    bool operator==(const Vec &o) const { return get() == o.get(); }
    bool operator!=(const Vec &o) const { return !(*this == o); }
    int &operator[](int i) { bump(); return x_; }
    int operator()(int a) const { return get(); }
    friend std::ostream &operator<<(std::ostream &os, const Vec &v) { return os << v.get(); }
    int get() const { return x_; }
private:
    void bump() {}
    int x_;
};
Vec operator*(int k, const Vec &v) { return Vec(k * v.get()); }
Vec operator""_v(unsigned long long n) { return Vec(static_cast<int>(n)); }
class Ptr {
    Vec *v_;
public:
    explicit Ptr(Vec *v) : v_(v) {}
    Vec &operator*() { return *get(); }
    Vec *operator->() { return get(); }
    Vec *get() { return v_; }
};
int main() {
    Vec a(1), b = Vec(2);
    Vec c = a + b;
    c += a;
    -c;
    ++c;
    c++;
    if (a == b || a != c) c[0] = 3;
    a(4);
    std::cout << a;
    Vec d = 2 * a;
    Ptr p(&a);
    p->get();
    (*p).get();
    (a + b).get();
}
