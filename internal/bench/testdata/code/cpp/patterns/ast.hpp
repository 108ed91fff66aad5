#pragma once
#include <memory>
#include <string>
#include <vector>

class Number;
class Sum;

class Visitor {
public:
    virtual ~Visitor() = default;
    virtual void visit(Number &number) = 0;
    virtual void visit(Sum &sum) = 0;
};

class Node {
public:
    virtual ~Node() = default;
    virtual void accept(Visitor &visitor) = 0;
};

class Number : public Node {
public:
    explicit Number(int value) : value_(value) {}
    void accept(Visitor &visitor) override { visitor.visit(*this); }
    int value() const { return value_; }

private:
    int value_;
};

class Sum : public Node {
public:
    Sum(std::unique_ptr<Node> left, std::unique_ptr<Node> right) : left_(std::move(left)), right_(std::move(right)) {}
    void accept(Visitor &visitor) override { visitor.visit(*this); }
    Node &left() { return *left_; }
    Node &right() { return *right_; }

private:
    std::unique_ptr<Node> left_, right_;
};

class Printer : public Visitor {
public:
    void visit(Number &number) override { write(std::to_string(number.value())); }
    void visit(Sum &sum) override {
        sum.left().accept(*this);
        write("+");
        sum.right().accept(*this);
    }
    const std::string &text() const { return out_; }

private:
    void write(const std::string &part) { out_ += part; }
    std::string out_;
};
