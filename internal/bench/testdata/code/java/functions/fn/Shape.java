package fn;

interface Shape {
    double area();

    String name();
}

class Circle implements Shape {
    public double area() {
        return 3;
    }

    public String name() {
        return "circle";
    }
}

class Square implements Shape {
    private final Side side = new Side();

    public double area() {
        return side.length() * 2;
    }

    public String name() {
        return "square";
    }

    Side side() {
        return side;
    }
}

class Side {
    double length() {
        return 1;
    }
}
