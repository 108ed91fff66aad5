abstract class Report {
    final void render() { header(); body(); footer(); }
    protected void header() { stamp(); }
    protected abstract void body();
    void footer() {}
    private void stamp() {}
}
class Daily extends Report {
    protected void body() { rows(); }
    void rows() {}
}
class Weekly extends Daily {
    @Override protected void header() { super.header(); }
    @Override void rows() { super.rows(); extra(); }
    void extra() {}
}
public class Main {
    public static void main(String[] args) {
        Report r = args.length > 0 ? new Daily() : new Weekly();
        r.render();
    }
}
