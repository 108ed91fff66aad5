#include "registry.hpp"

void Registry::add(const std::string &name, Factory factory) { factories_[name] = factory; }

std::unique_ptr<Node> Registry::make(const std::string &name, int value) {
    auto it = factories_.find(name);
    if (it == factories_.end()) {
        return nullptr;
    }
    return it->second(value);
}
