#include <algorithm>
#include <numeric>
#include <vector>
#include <map>
#include <set>
#include <string>
struct Emp {
    std::string name; int pay;
    int score() const { return bonus() + pay; }
    int bonus() const { return 1; }
    void raise() {}
};
static bool rich(const Emp &e) { return e.score() > 10; }
static bool less(const Emp &a, const Emp &b) { return a.score() < b.score(); }
static Emp make(int n) { return Emp{"e", n}; }
static int add(int a, const Emp &e) { return a + e.score(); }
struct ByName { bool operator()(const Emp &a, const Emp &b) const { return cmp(a, b); } static bool cmp(const Emp &, const Emp &) { return true; } };
struct Total { int sum = 0; void operator()(const Emp &e) { sum += e.score(); } };
int main() {
    std::vector<int> nums{1, 2};
    std::vector<Emp> emps;
    std::transform(nums.begin(), nums.end(), std::back_inserter(emps), make);
    std::sort(emps.begin(), emps.end(), less);
    auto n = std::count_if(emps.begin(), emps.end(), rich);
    auto it = std::find_if(emps.begin(), emps.end(), [](const Emp &e) { return rich(e); });
    it->raise();
    std::accumulate(emps.begin(), emps.end(), 0, add);
    std::for_each(emps.begin(), emps.end(), [](Emp &e) { e.raise(); });
    for (auto &e : emps) e.raise();
    std::set<Emp, ByName> sorted;
    std::map<std::string, Emp> by;
    by["a"].raise();
    for (auto &[k, v] : by) v.raise();
    by.find("a")->second.raise();
    std::sort(emps.begin(), emps.end(), ByName());
    Total t = std::for_each(emps.begin(), emps.end(), Total());
    std::max_element(emps.begin(), emps.end(), [](auto &a, auto &b) { return less(a, b); });
    emps.front().raise();
    emps.at(0).raise();
}
