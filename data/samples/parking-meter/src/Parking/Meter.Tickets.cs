namespace Parking
{
    public partial class Meter
    {
        private int printed;

        /// <summary>A ticket for what was paid, or none where that is not enough.</summary>
        public string? PrintTicket(TimeSpan stay)
        {
            var price = tariff.PriceOf(stay);
            if (Paid < price)
            {
                return null;
            }

            Paid -= price;
            printed++;
            return Number(printed) + " " + stay.ToClock();

            static string Number(int number) => number.ToString("000");
        }
    }
}
