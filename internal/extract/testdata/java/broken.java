package demo;

import java.util.List;
import ;

class Broken {
    void before() {
        fine();
        int = ;
        after(1, );
        still();
    }

    void unclosed() {
        call(;
        more();
    }

    private int 5bad;

    void again() {
        found(x.);
        switch (x) {
            case A -> y();
            case -> z();
        }
    }
}

class Late extends {
    Object o = new ;
    Runnable r = () -> ;

    Late( {
        super(1);
    }

    void last() {
        end();
    }
}

record Odd(int, String s, T...) {}
