#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

template <typename T> struct Node {
    T value;
    std::shared_ptr<Node<T>> next;
    T &get() { return value; }
};

template <typename T> class Stack {
public:
    void push(T value) {
        auto node = std::make_shared<Node<T>>();
        node->value = std::move(value);
        node->next = head_;
        head_ = node;
    }
    T pop() {
        auto node = head_;
        head_ = node->next;
        return node->get();
    }
    bool empty() const { return !head_; }

private:
    std::shared_ptr<Node<T>> head_;
};

struct Job {
    std::string name;
    void run() { finish(name); }
    static void finish(const std::string &name) {}
    bool operator<(const Job &other) const { return name < other.name; }
};

struct Worker {
    virtual ~Worker() = default;
    virtual Job next() { return Job{"plain"}; }
};

struct Fast : Worker {
    Job next() override { return Job{"fast"}; }
};

template <typename T, typename Fn> auto apply(T value, Fn fn) { return fn(value); }

template <typename W> void drive() {
    W worker;
    worker.next().run();
}

template <typename First, typename... Rest> int total(First first, Rest... rest) {
    if constexpr (sizeof...(rest) > 0) {
        return first + total(rest...);
    }
    return first;
}

template <typename Policy> class Store : private Policy {
public:
    void put(Job job) {
        Policy::check(job);
        jobs_[job.name] = job;
    }
    Job &find(const std::string &name) { return jobs_.at(name); }
    std::pair<Job, int> first() { return {jobs_.begin()->second, 1}; }
    std::vector<Job> all() {
        std::vector<Job> out;
        for (auto &entry : jobs_) out.push_back(entry.second);
        return out;
    }

private:
    std::map<std::string, Job> jobs_;
};

struct Strict {
    void check(Job &job) { reject(job); }
    void reject(Job &) {}
};

static int twice(int n) { return n * 2; }

int main() {
    Stack<Job> stack;
    stack.push(Job{"a"});
    stack.pop().run();
    while (!stack.empty()) {
        auto job = stack.pop();
        job.run();
    }
    drive<Fast>();
    apply(2, twice);
    apply(3, [](int n) { return twice(n); });
    total(1, 2, 3);
    Store<Strict> store;
    store.put(Job{"b"});
    store.find("b").run();
    auto [job, count] = store.first();
    job.run();
    for (Job &each : store.all()) each.run();
    auto jobs = store.all();
    std::for_each(jobs.begin(), jobs.end(), [](Job &each) { each.run(); });
    std::unique_ptr<Worker> worker = std::make_unique<Fast>();
    worker->next().run();
    std::vector<std::unique_ptr<Worker>> workers;
    workers.push_back(std::move(worker));
    workers[0]->next();
    workers.back()->next();
    return count;
}
