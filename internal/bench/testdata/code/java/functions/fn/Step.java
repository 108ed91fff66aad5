package fn;

@FunctionalInterface
public interface Step<A, B> {
    B run(A in);

    default <C> Step<A, C> then(Step<B, C> next) {
        return in -> next.run(run(in));
    }
}
