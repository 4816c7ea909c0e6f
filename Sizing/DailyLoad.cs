namespace ScaleOut.Sizing;

/// <param name="Share">Its rate, as a share of the day's highest.</param>
public sealed record DayPart(double Hours, double Share);

/// <summary>The rates of a day, one part after the other, 24 hours in all. The highest is the rate that is asked for.</summary>
public sealed record DailyLoad(IReadOnlyList<DayPart> Parts)
{
    public const double Hours = 24;

    /// <summary>The rate for some hours, and a share of it for the rest.</summary>
    public static DailyLoad OfPeak(double hours, double idleShare) => new([new(hours, 1), new(Hours - hours, idleShare)]);

    /// <param name="rates">The rate of each hour.</param>
    public static DailyLoad OfHours(IReadOnlyList<double> rates) => new([.. rates.Select(rate => new DayPart(1, rate / rates.Max()))]);

    /// <summary>Mean rate of a day, as a share of the rate.</summary>
    public double AverageShare => Parts.Sum(part => part.Hours * part.Share) / Hours;

    /// <summary>Hours at the rate that write as much as the busiest stretch of so many days.</summary>
    public double MostHoursIn(double days)
    {
        var rest = (days - Math.Floor(days)) * Hours;
        // The busiest stretch begins where a part begins, or ends where one ends.
        var ends = Parts.Select((_, i) => Parts.Take(i).Sum(part => part.Hours)).ToList();
        return (Math.Floor(days) * AverageShare * Hours)
            + ends.SelectMany(end => new[] { end, end - rest }).Max(start => From(start, rest));
    }

    /// <summary>Hours at the rate that write as much as a stretch of at most a day.</summary>
    private double From(double start, double length)
    {
        var (sum, at) = (0.0, 0.0);
        foreach (var part in Parts)
        {
            // The stretch may begin the day before, or end the day after.
            foreach (var shift in new[] { -Hours, 0, Hours })
                sum += part.Share * Math.Max(0, Math.Min(at + part.Hours, start + shift + length) - Math.Max(at, start + shift));
            at += part.Hours;
        }

        return sum;
    }
}
