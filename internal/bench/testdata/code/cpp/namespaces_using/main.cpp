#include "lib.hpp"
namespace L = lib;
namespace D = lib::detail;
namespace app {
using lib::run;
void go() { run(); other::run(); }
namespace inner { void helper() { go(); } }
}
static void run() {}
int main() {
    ::run();
    L::run();
    lib::fresh();
    D::impl();
    lib::Tool::make().act();
    using namespace app;
    go();
    inner::helper();
    lib::Widget a, b;
    swap(a, b);
    adl(a);
    {
        using lib::detail::impl;
        impl();
    }
}
