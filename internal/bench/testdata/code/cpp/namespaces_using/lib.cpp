#include "lib.hpp"
namespace lib {
namespace { void secret() {} }
void run() { secret(); detail::impl(); }
inline namespace v2 { void fresh() { run(); } }
}
void lib::swap(Widget &a, Widget &b) { a.paint(); }
