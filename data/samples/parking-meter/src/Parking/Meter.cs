namespace Parking
{
    /// <summary>Takes coins and gives tickets.</summary>
    public partial class Meter
    {
        private readonly Tariff tariff;

        public Meter(Tariff tariff)
        {
            this.tariff = tariff;
        }

        public decimal Paid { get; private set; }

        public void Insert(decimal coin)
        {
            if (coin <= 0)
            {
                throw new ArgumentException("a coin is worth something", nameof(coin));
            }

            Paid += coin;
        }

        public decimal Cancel()
        {
            var back = Paid;
            Paid = 0;
            return back;
        }
    }
}
