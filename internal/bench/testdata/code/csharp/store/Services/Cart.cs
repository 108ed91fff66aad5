using Store.Models;
using Things = Store.Models.Item;
using static Store.Common.Text;

namespace Store.Services;

public partial class Cart
{
    private readonly List<Item> items = new();
    private readonly Log log = new Log("cart");
    private readonly IPayment payment;

    public Cart(IPayment payment)
    {
        this.payment = payment;
    }

    public Cart Add(Item item)
    {
        items.Add(item);
        log.Info("add").Warn("more", 1, 2);
        return this;
    }

    public int Sum()
    {
        var sum = 0;
        foreach (var item in items)
        {
            sum += item.Total(2);
        }
        return sum + items[0].Total(0.5) + items.Second().Price();
    }
}

public partial class Cart
{
    public bool CheckOut()
    {
        Twice(2);
        return payment.PayTwice(Sum()) && payment.Pay(1) && Fresh().Price() > 0;
    }

    private static Things Fresh() => new Things("fresh");
}
