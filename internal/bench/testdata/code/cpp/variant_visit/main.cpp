#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
struct Circle { double area() const { return 3; } };
struct Square { double area() const { return side() * side(); } double side() const { return 2; } };
using Shape = std::variant<Circle, Square>;
struct AreaOf {
    double operator()(const Circle &c) const { return c.area(); }
    double operator()(const Square &s) const { return s.area(); }
};
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
std::optional<Square> maybe() { return Square{}; }
std::pair<Circle, Square> both() { return {Circle{}, Square{}}; }
std::tuple<Square, int> three() { return std::make_tuple(Square(), 1); }
int main() {
    Shape s = Square{};
    std::visit(AreaOf{}, s);
    std::visit([](const auto &x) { x.area(); }, s);
    std::get<Square>(s).side();
    if (auto *c = std::get_if<Circle>(&s)) c->area();
    if (auto m = maybe()) m->side();
    maybe().value().side();
    auto [c, q] = both();
    c.area();
    q.side();
    both().first.area();
    auto p = both();
    p.second.side();
    std::get<0>(three()).side();
    if (Square q2 = *maybe(); q2.side() > 1) q2.area();
}
