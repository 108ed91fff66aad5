#include <string>
#include "net/socket.hpp"
#include MACRO_HEADER

/// Everything about the network.
namespace net {

class Socket;

namespace detail {
int checksum(const char *data, int size);
}

inline namespace v2 {
/* Opens a connection.
 * Blocks until it is there. */
int open(const std::string &host, int port = 80);
}

namespace {
int hidden = 3;
int secret() { return detail::checksum("x", hidden); }
}

static int internal() { return secret(); }

} // namespace net

namespace net::http::v1 {
void get() { net::open("a"); ::net::open("b", 1); }
}

namespace fs = std::filesystem;
namespace n = net;
using namespace net;
using net::detail::checksum;
using Name = std::string;

extern "C" {
int c_entry(void);
void c_hook(int (*hook)(int));
}
extern "C" int c_single(long);

extern int elsewhere;
static const int limit = 10;
constexpr double ratio = 0.5, *nothing = nullptr;
Name title = "t"; // about title
int table[] = {1, 2};

// Defined for its namespace.
int net::detail::checksum(const char *data, int size) { return size + limit; }

#ifdef WITH_EXTRA
int extra() { return 1; }
#else
int extra() { return checksum("e", 1); }
#endif
