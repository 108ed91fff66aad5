#pragma once
#include <map>
#include <memory>
#include <optional>
#include <vector>
template <typename K, typename E>
class Repo {
public:
    void save(const K &k, E e) { map_[k] = e; e.id(); touch(); }
    E &load(const K &k) { return map_.at(k); }
    std::optional<E> find(const K &k);
    std::vector<E> all() const { std::vector<E> out; return out; }
    class Iter { public: E &value() { return *e_; } private: E *e_; };
    Iter first() { return Iter(); }
private:
    void touch() {}
    std::map<K, E> map_;
};
template <typename K, typename E>
std::optional<E> Repo<K, E>::find(const K &k) { touch(); return load(k); }
