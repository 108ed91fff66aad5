#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "ast.hpp"

class Registry {
public:
    using Factory = std::function<std::unique_ptr<Node>(int)>;

    static Registry &instance() {
        static Registry registry;
        return registry;
    }

    void add(const std::string &name, Factory factory);
    std::unique_ptr<Node> make(const std::string &name, int value);

private:
    Registry() { reset(); }
    void reset() { factories_.clear(); }
    std::map<std::string, Factory> factories_;
};

template <typename Derived> class Counted {
public:
    void touch() {
        ++count_;
        self().touched();
    }

private:
    Derived &self() { return static_cast<Derived &>(*this); }
    int count_ = 0;
};

class Subject {
public:
    class Observer {
    public:
        virtual ~Observer() = default;
        virtual void update(int value) = 0;
    };

    void attach(Observer *observer) { observers_.push_back(observer); }
    void set(int value) {
        value_ = value;
        notify();
    }

private:
    void notify() {
        for (Observer *observer : observers_) {
            observer->update(value_);
        }
    }
    std::vector<Observer *> observers_;
    int value_ = 0;
};
