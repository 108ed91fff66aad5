struct Log { Log() { open(); } Log(int n) : Log() { level(n); } void open() {} void level(int) {} };
struct Base {
    Base(int n) { init(n); }
    virtual ~Base() {}
    void init(int) {}
};
struct Part { explicit Part(int n) { check(n); } static void check(int) {} };
int compute() { return 3; }
class Derived : public Base {
    Log log_;
    Part part_{5};
    int n_ = compute();
public:
    Derived() : Base(compute()), log_(2) {}
};
int main() {
    Derived d;
    Derived *p = new Derived();
    Base *b = new Base(3);
    Part arr[] = {Part(1), Part{2}};
    delete p;
    delete b;
}
