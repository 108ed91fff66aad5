#pragma once
#include <string>

namespace text {

std::string trim(const std::string &s);
std::string join(const std::string &a, const std::string &b);
std::string join(const std::string &a, const std::string &b, const std::string &c);

namespace detail {
inline bool blank(char c) { return c == ' '; }
} // namespace detail

inline namespace v1 {
inline std::string upper(const std::string &s) { return trim(s); }
} // namespace v1

class Builder {
public:
    Builder &append(const std::string &part);
    Builder &append(int number);
    std::string str() const;
    operator bool() const { return !value_.empty(); }
    bool operator==(const Builder &other) const { return str() == other.str(); }

    struct Options {
        bool trimmed = false;
        static Options defaults() { return Options{}; }
    };

    explicit Builder(Options options = Options::defaults()) : options_(options) {}

private:
    std::string value_;
    Options options_;
};

template <typename T> std::string show(const T &value) { return value.str(); }

} // namespace text

namespace app {
std::string trim(const std::string &s);
}
