package app;
class Sibling { void go() { Main.low("q"); } }
