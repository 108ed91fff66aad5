using Store.Models;
using Store.Services;

var cart = Build();
cart.Add(new Book("a")).Add(new Rare()).Add(new Item("b"));
cart.CheckOut();
Store.Common.Log.Shared.Info("done");
Item one = new("c", 3);
one.Price();
var rare = new Rare();
rare.Price();

Cart Build() => new Cart(args.Length > 0 ? new Card() : new Cash());
