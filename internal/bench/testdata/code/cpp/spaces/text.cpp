#include "text.hpp"

std::string text::trim(const std::string &s) {
    return detail::blank(s[0]) ? trim(s.substr(1)) : s;
}

namespace text {

std::string join(const std::string &a, const std::string &b) { return join(a, " ", b); }

std::string join(const std::string &a, const std::string &b, const std::string &c) { return a + b + c; }

Builder &Builder::append(const std::string &part) {
    value_ = join(value_, options_.trimmed ? trim(part) : part);
    return *this;
}

Builder &Builder::append(int number) { return append(std::to_string(number)); }

std::string Builder::str() const { return value_; }

} // namespace text

std::string app::trim(const std::string &s) { return ::text::trim(s); }
