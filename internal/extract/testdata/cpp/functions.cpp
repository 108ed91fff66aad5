#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOG(fmt, ...) printf(fmt, __VA_ARGS__)
#define LIMIT 10
#define GUARD

int add(int a, int b) { return a + b; }
double add(double a, double b) { return a + b; }
template <typename T> T add(T a, T b) { return a + b; }
auto trailing(int x) -> std::vector<int> { return {x}; }
int printed(const char *format, ...);
void none(void);
const Shape *lookup(const std::map<std::string, Shape> &shapes, int (*rank)(const Shape &), Shape &&taken, int = 3);
int (*chosen(int which))(int);

auto twice = [](int v) { return add(v, v); };
std::function<int(int)> handler = nullptr;
int (*operation)(int, int) = &add;

static void callbacks(std::function<void(int)> done, int (*op)(int, int)) {
    done(op(1, 2));
    (*op)(3, 4);
    auto local = [&done, n = add(1, 2), op](int x, auto... rest) mutable -> int {
        auto inner = [=] { return op(x, n); };
        done(x);
        return inner();
    };
    local(1);
    [] { none(); }();
    std::sort(v.begin(), v.end(), [](const Shape &a, const Shape &b) { return a.area() < b.area(); });
    std::thread worker(&Server::run, &server);
    operation = add;
    handler = twice;
    handler(2);
}

int main(int argc, char **argv) {
    Circle plain;
    Circle round(1.5);
    Circle braces{1.5, Point{1, 2}};
    Circle copied = {2};
    Circle vexed(argc, argv);
    geo::Circle<int> qualified(1), other;
    const std::string text("hello");
    std::string empty;
    size_t size = sizeof(add(1, 2));
    auto *raw = new geo::Circle<int>(1, 2);
    Shape *array = new Circle[3];
    int *numbers = new int[4];
    auto owned = std::make_unique<Circle>(2.0);
    auto moved = std::move(owned);
    raw->area();
    owned->doubled();
    Shape::make(1)->area();
    static_cast<Circle *>(array)->area();
    ((Circle *)array)->area();
    geo::Circle<int>::build().area();
    int(3.5);
    Circle(1).area();
    add<int>(1, 2);
    argv[0](1);
    chosen(1)(2);
    (round.*member)(3);
    round.template as<int>(4);
    MAX(add(1, 2), LIMIT);
    raw->~Circle();
    delete raw;
    return argc ? add(1, 2) : MAX(1, 2);
}

TEST(Suite, Case) { check(add(1, 2)); }
