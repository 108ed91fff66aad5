import java.util.concurrent.*;
class Job implements Callable<Result> {
    public Result call() { return compute(); }
    Result compute() { return new Result(); }
}
class Result { void show() {} Result merge(Result o) { return this; } }
class Worker extends Thread {
    @Override public void run() { work(); }
    void work() {}
}
public class Main {
    static Result load() { return new Result(); }
    static void tick() {}
    static void fail(Throwable t) {}
    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(2);
        Future<Result> f = ex.submit(new Job());
        f.get().show();
        new Thread(Main::tick).start();
        new Thread(() -> tick()).start();
        Worker w = new Worker();
        w.start();
        CompletableFuture.supplyAsync(Main::load).thenApply(r -> r.merge(r)).thenAccept(r -> r.show());
        ex.execute(() -> load().show());
    }
}
