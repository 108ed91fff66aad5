import java.util.List;

String greeting = make();

void main() {
    greet(greeting);
}

String make() {
    return "hello";
}

static void greet(String text) {
    IO.println(text);
}
