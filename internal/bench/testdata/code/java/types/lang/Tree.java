package lang;

import java.util.Iterator;

class Tree<T extends Comparable<T>> implements Iterable<T> {
    private Node root;
    private int size;

    class Node {
        T value;
        Node left;

        Node(T value) {
            this.value = value;
            grow();
        }

        void insert(T other) {
            if (left == null) {
                left = new Node(other);
            } else {
                left.insert(other);
            }
            Tree.this.changed();
        }
    }

    static class Builder<T extends Comparable<T>> {
        private final Tree<T> tree = new Tree<>();

        Builder<T> with(T value) {
            tree.add(value);
            return this;
        }

        Tree<T> build() {
            return tree;
        }
    }

    void add(T value) {
        if (root == null) root = new Node(value);
        else root.insert(value);
    }

    private void grow() {
        size++;
    }

    void changed() {}

    int size() {
        return size;
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<T>() {
            private Node at = first();

            @Override
            public boolean hasNext() {
                return at != null && check();
            }

            private boolean check() {
                return size() > 0;
            }

            @Override
            public T next() {
                return at.value;
            }
        };
    }

    private Node first() {
        return root;
    }

    static int use() {
        Tree<String> tree = new Builder<String>().with("a").with("b").build();
        Tree<String>.Node node = tree.new Node("c");
        node.insert("d");
        class Walker extends Thread {
            @Override
            public void run() {
                visit(tree);
            }

            void visit(Tree<String> t) {
                t.size();
            }
        }
        Walker w = new Walker();
        w.visit(tree);
        w.start();
        return tree.size();
    }
}

class Box<T extends Named> {
    private final T held;

    Box(T held) {
        this.held = held;
    }

    T get() {
        return held;
    }

    String label() {
        return held.name();
    }

    static <U extends Named> U first(java.util.List<U> all) {
        return all.get(0);
    }

    static void use() {
        Box<Dog> box = new Box<>(new Dog());
        box.get().bark();
        box.label();
        Box.first(java.util.List.of(new Dog())).bark();
        identity(new Dog()).bark();
    }

    static <U> U identity(U u) {
        return u;
    }
}

interface Named {
    String name();
}

class Dog implements Named {
    public String name() {
        return "dog";
    }

    void bark() {}
}
