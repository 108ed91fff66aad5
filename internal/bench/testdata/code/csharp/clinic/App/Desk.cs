using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Clinic.Core;

namespace Clinic.App;

public record VisitBooked(Visit Visit);

public class Desk
{
    private readonly IRepository<Visit> _visits;
    private readonly EventBus _bus;
    private readonly Lazy<Report> _report;

    public Desk(IRepository<Visit> visits, EventBus bus)
    {
        _visits = visits;
        _bus = bus;
        _report = new Lazy<Report>(() => new Report(visits));
    }

    public Report Report => _report.Value;

    public Visit this[string patient] => Find(patient);

    private Visit Find(string patient) => _visits.All().First(v => v.Patient == patient);

    public async Task<Visit> BookAsync(string kind, string patient)
    {
        var visit = kind switch
        {
            "surgery" => Operate(patient),
            _ => new Checkup(patient, 15),
        };
        _visits.Save(visit);
        await Task.Yield();
        _bus.Publish(new VisitBooked(visit));
        return visit;
    }

    private static Visit Operate(string patient) => new Surgery(patient, Urgency.High);
}

public class Report
{
    private readonly IRepository<Visit> _visits;

    public Report(IRepository<Visit> visits) => _visits = visits;

    public Money Sum() => _visits.All().Total();

    public IEnumerable<string> Lines()
    {
        var dear = from v in _visits.All() where IsDear(v) select v.Describe();
        return dear.Concat(_visits.All().Select(Line));
    }

    private static bool IsDear(Visit v) => v.Fee().Amount > 100;

    private static string Line(Visit v) => v switch
    {
        Checkup c => c.Describe(),
        Surgery { Urgency: Urgency.Low } s => Slow(s),
        _ => Unknown(),
    };

    private static string Slow(Surgery s) => s.Patient;

    private static string Unknown() => "?";
}
