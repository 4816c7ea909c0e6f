namespace ScaleOut.Limits;

/// <summary>What all measurements at one rate say of it.</summary>
/// <param name="Failed">Measurements in which it did not.</param>
public sealed record RateTally(double Rate, int Held, int Failed)
{
    /// <summary>Measurements that say something.</summary>
    public int Count => Held + Failed;

    /// <summary>The tallies of all rates, ascending.</summary>
    public static IReadOnlyList<RateTally> From(IEnumerable<LimitMeasurement> measurements) =>
    [
        .. measurements.Where(measurement => measurement.Held is not null)
            .GroupBy(measurement => measurement.Rate)
            .Select(group => new RateTally(group.Key, group.Count(one => one.Held == true), group.Count(one => one.Held == false)))
            .OrderBy(tally => tally.Rate),
    ];
}
