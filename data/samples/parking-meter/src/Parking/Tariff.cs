namespace Parking;

/// <summary>What an hour costs, and the most that a day may cost.</summary>
public record Tariff(decimal PerHour, decimal PerDay)
{
    /// <summary>The price of a stay; every hour that is begun counts.</summary>
    public decimal PriceOf(TimeSpan stay)
    {
        if (stay < TimeSpan.Zero)
        {
            throw new ArgumentOutOfRangeException(nameof(stay));
        }

        var days = (int)stay.TotalDays;
        var hours = (int)Math.Ceiling((stay - TimeSpan.FromDays(days)).TotalHours);
        return days * PerDay + Math.Min(PerDay, hours * PerHour);
    }

    /// <summary>The price of a stay of so many minutes.</summary>
    public decimal PriceOf(int minutes) => PriceOf(TimeSpan.FromMinutes(minutes));

    public Tariff Raise(decimal percent) => this with
    {
        PerHour = Math.Round(PerHour * (1 + percent / 100), 2),
        PerDay = Math.Round(PerDay * (1 + percent / 100), 2),
    };
}
