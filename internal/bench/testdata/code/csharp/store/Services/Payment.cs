using Store.Models;

namespace Store.Services
{
    public interface IPayment
    {
        bool Pay(int amount);

        bool PayTwice(int amount) => Pay(amount) && Pay(amount);
    }

    public abstract class PaymentBase
    {
        protected virtual void Audit() => Log.Shared.Info("audit");
    }

    public class Card : PaymentBase, IPayment
    {
        public bool Pay(int amount)
        {
            Audit();
            return Charge(amount);
        }

        private bool Charge(int amount) => amount > 0;
    }

    public class Cash : PaymentBase, IPayment
    {
        bool IPayment.Pay(int amount)
        {
            base.Audit();
            return Count(amount);
        }

        private bool Count(int amount) => true;
    }
}
