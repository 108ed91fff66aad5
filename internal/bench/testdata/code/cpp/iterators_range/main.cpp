struct Item { void use() {} };
class Bag {
public:
    class iterator {
    public:
        explicit iterator(Item *p) : p_(p) {}
        Item &operator*() { return deref(); }
        iterator &operator++() { ++p_; return *this; }
        bool operator!=(const iterator &o) const { return p_ != o.p_; }
    private:
        Item &deref() { return *p_; }
        Item *p_;
    };
    iterator begin() { return iterator(items_); }
    iterator end() { return iterator(items_ + size()); }
    int size() const { return 2; }
private:
    Item items_[2];
};
int main() {
    Bag bag;
    for (auto it = bag.begin(); it != bag.end(); ++it) (*it).use();
    for (Item &i : bag) i.use();
}
