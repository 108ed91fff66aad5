#pragma once
namespace lib {
void run();
inline namespace v2 { void fresh(); }
namespace detail { inline void impl() {} struct Tool { static Tool make() { return Tool(); } void act() { impl(); } }; }
using detail::Tool;
struct Widget { void paint() {} };
void swap(Widget &a, Widget &b);
inline void adl(Widget w) { w.paint(); }
}
namespace other { inline void run() {} }
