namespace a {
class Half {
    int x
    void first() { go(; }
    void second() { stop(); }
};

int missing( { return 1; }

void after() { second(1); }

@@@ what is this

template <typename
struct {
int ;
void () {}
class : public {};
enum { , };
using = int;
#define
new (
