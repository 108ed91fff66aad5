using System;
using System.Threading.Tasks;
using Clinic.Core;

namespace Clinic.App;

public class ClinicModule : IModule
{
    public void Configure(Container container)
    {
        container
            .Register<IRepository<Visit>>(_ => new VisitRepository())
            .Register(_ => MakeBus())
            .Register(c => new Desk(c.Resolve<IRepository<Visit>>(), c.Resolve<EventBus>()));
    }

    private static EventBus MakeBus()
    {
        var bus = new EventBus();
        bus.Traced += Console.WriteLine;
        bus.Traced += Note;
        bus.Subscribe<VisitBooked>(OnBooked);
        bus.Subscribe<VisitBooked>(e => Note(e.Visit.Describe()));
        return bus;
    }

    private static void Note(string text) { }

    private static void OnBooked(VisitBooked e) => Note(e.Visit.Patient.Quote());
}

public static class Program
{
    public static async Task Main()
    {
        var container = new Container().Add(new ClinicModule());
        container.Build();
        var desk = container.Resolve<Desk>();
        var visit = await desk.BookAsync("surgery", "Ann");
        visit.Describe();
        desk["Ann"].Fee();
        desk.Report.Sum().Rounded();
        foreach (var line in desk.Report.Lines()) Show(line);
        if (visit.Is(v => v.Fee().Amount > 0)) Show("dear");

        void Show(string text) => Print(text, indent: 2);
    }

    private static void Print(string text, int indent = 0) => Console.WriteLine(text);
}
