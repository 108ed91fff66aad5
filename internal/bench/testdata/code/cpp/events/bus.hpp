#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

struct Event {
    std::string name;
    int size() const { return static_cast<int>(name.size()); }
};

using Handler = std::function<void(const Event &)>;
typedef int (*Weigh)(const Event &);

class Bus {
public:
    void on(const std::string &name, Handler handler) { handlers_[name].push_back(handler); }
    void setFallback(Handler handler) { fallback_ = handler; }

    void emit(const Event &event) {
        for (auto &handler : handlers_[event.name]) {
            handler(event);
        }
        if (fallback_) {
            fallback_(event);
        }
    }

private:
    std::map<std::string, std::vector<Handler>> handlers_;
    Handler fallback_;
};

template <typename Fn> void repeat(int times, Fn fn) {
    for (int i = 0; i < times; ++i) {
        fn(i);
    }
}

template <typename T> class Queue {
public:
    void push(T item) { items_.push_back(item); }
    T &front() { return items_.front(); }
    template <typename Visitor> void each(Visitor visit) {
        for (auto &item : items_) visit(item);
    }

private:
    std::vector<T> items_;
};

inline int choose(Weigh weigh, const Event &event) { return weigh(event); }
