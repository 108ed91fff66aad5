Task<int> flow(std::map<Key, Value> &entries, Shape *given) {
    for (auto &[key, value] : entries) {
        key.print();
        value.print();
    }
    for (const Shape &s : shapes()) s.area();
    for (int i = 0, n = count(); i < n; ++i) {
        int inner = step(i);
        use(inner);
    }
    if (auto *found = find(1)) found->use();
    if (auto it = entries.find(1); it != entries.end()) {
        it->second.use();
    } else if (given) {
        given->use();
    } else {
        given = fallback();
    }
    while (Shape *s = next()) s->area();
    do {
        step(1);
    } while (more());
    switch (state()) {
    case One: {
        Circle c(1);
        break;
    }
    case Two:
        step(2);
        break;
    default:
        step(3);
    }
    try {
        risky();
    } catch (const std::exception &e) {
        report(e.what());
    } catch (...) {
        throw Failure("again");
    }
    auto [first, second] = pair();
    Shape *poly;
    if (first) {
        poly = new Circle(1);
    } else {
        poly = new Square(2);
    }
    poly->area();
    int a, b;
    a = b = step(4);
    a += step(5);
    Options options = {.verbose = on, .handler = &handle};
    int grid[2][2] = {{1, 2}, {3, 4}};
    grid[0][1];
    struct Local {
        void method() { step(6); }
    };
    using Alias = Local;
    Alias local;
    local.method();
    static Cache cache;
    EACH(item, list) {
        item.use();
    }
    int got = co_await fetch(1);
    co_yield got;
    goto end;
end:
    step(7);
    co_return R"(raw)" "x" ? 'c' : 1.5;
}

void guarded() try { risky(); } catch (Failure &f) { f.print(); }
