namespace Parking;

public static class ClockExtensions
{
    /// <summary>Hours and minutes.</summary>
    public static string ToClock(this TimeSpan time) => $"{(int)time.TotalHours}:{time.Minutes:00}";

    /// <summary>The largest of a list, or a value where there is none.</summary>
    public static T LargestOr<T>(this IEnumerable<T> values, T otherwise)
        where T : IComparable<T>
    {
        var largest = otherwise;
        var any = false;
        foreach (var value in values)
        {
            if (!any || value.CompareTo(largest) > 0)
            {
                largest = value;
                any = true;
            }
        }

        return largest;
    }
}
