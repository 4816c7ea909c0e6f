namespace ScaleOut.Specs.Reading;

/// <summary>Rules for a simulation's latency, throttling and profile that span several fields.</summary>
/// <param name="simulation">Invalid fields hold their defaults.</param>
internal sealed class SimulationRules(SimulationSpec simulation, ReadingContext checks)
{
    public void Check()
    {
        CheckQuantiles("simulation.latency.writeQuantiles", simulation.Latency?.WriteQuantiles);
        CheckQuantiles("simulation.latency.readQuantiles", simulation.Latency?.ReadQuantiles);
        if (simulation.Profile is { } profile && !checks.IsInvalidWithin("simulation.profile"))
            checks.Rule(profile.Instant() is null, "simulation.profile.measuredAt", $"{profile.MeasuredAt} is no instant of the calendar");
        checks.Rule(simulation is { BurstBank: > 0, Burst: false }, "simulation.burstBank",
            "only with burst true, which says that there is a bank", "simulation.burst");
        if (simulation.Throttling is { } throttling)
        {
            checks.Rule(throttling.RetryAfterMaxMs < throttling.RetryAfterMinMs, "simulation.throttling.retryAfterMaxMs",
                $"{throttling.RetryAfterMaxMs} is less than retryAfterMinMs {throttling.RetryAfterMinMs}",
                "simulation.throttling.retryAfterMinMs");
        }
    }

    private void CheckQuantiles(string path, IReadOnlyList<LatencyQuantile>? quantiles)
    {
        if (quantiles is null || checks.IsInvalidWithin(path))
            return;
        for (var i = 0; i < quantiles.Count; i++)
        {
            var (probability, ms) = quantiles[i];
            var point = SpecPath.Item(path, i);
            checks.Rule(probability is not (> 0 and < 1), SpecPath.Item(point, 0),
                FormattableString.Invariant($"{probability} is no probability between 0 and 1"));
            checks.Rule(ms <= 0, SpecPath.Item(point, 1),
                FormattableString.Invariant($"{ms} is out of range: above 0, at most {LatencyProfile.MaxMs}"));
            if (i == 0)
                continue;
            var before = quantiles[i - 1];
            checks.Rule(probability <= before.Probability, SpecPath.Item(point, 0),
                FormattableString.Invariant($"{probability} is not above the {before.Probability} before it"));
            checks.Rule(ms < before.Ms, SpecPath.Item(point, 1),
                FormattableString.Invariant($"{ms} is less than the {before.Ms} before it"));
        }
    }
}

/// <summary>Rules for the points of a table of charges: sizes must ascend, and charges must not fall.</summary>
/// <param name="charges">Invalid fields hold their defaults.</param>
internal sealed class ChargeRules(ChargeSpec charges, ReadingContext checks)
{
    private const string Path = "simulation.charges";

    public void Check()
    {
        Check($"{Path}.readPoints", charges.ReadPoints);
        Check($"{Path}.writePoints", charges.WritePoints);
    }

    private void Check(string path, IReadOnlyList<SizeCharge>? points)
    {
        if (points is null || checks.IsInvalid(path))
            return;
        for (var i = 1; i < points.Count; i++)
        {
            var (before, item) = (SpecPath.Item(path, i - 1), SpecPath.Item(path, i));
            if (checks.IsInvalidWithin(before) || checks.IsInvalidWithin(item))
                continue;
            checks.Rule(points[i].Bytes <= points[i - 1].Bytes, $"{item}.bytes",
                $"{points[i].Bytes} is not more than the {points[i - 1].Bytes} of the point before it: list the points by ascending size");
            checks.Rule(points[i].RequestUnits < points[i - 1].RequestUnits, $"{item}.requestUnits",
                FormattableString.Invariant(
                    $"{points[i].RequestUnits} is less than the {points[i - 1].RequestUnits} of the smaller point before it"));
        }
    }
}

/// <summary>Rules for the splits and merges of a simulation: the partitions that they name must exist at their times.</summary>
/// <param name="simulation">Invalid fields hold their defaults.</param>
internal sealed class LayoutRules(ContainerSpec container, SimulationSpec simulation, ReadingContext checks)
{
    /// <summary>Checks all changes in the order of their times.</summary>
    /// <param name="partitions">Number of partitions at the start.</param>
    /// <param name="sources">Paths of the fields that this number depends on.</param>
    public void Check(int partitions, string[] sources)
    {
        // Each change depends on all changes before it.
        if (AnyInvalid("simulation.splits", simulation.Splits.Count) || AnyInvalid("simulation.merges", simulation.Merges.Count))
            return;
        var splits = simulation.Splits.Select(
            (one, i) => new Change(one.AfterSeconds, one.Partition, SpecPath.Item("simulation.splits", i), Brings: 2));
        var merges = simulation.Merges.Select(
            (one, i) => new Change(one.AfterSeconds, one.Partition, SpecPath.Item("simulation.merges", i), Brings: 1));
        var changes = splits.Concat(merges).OrderBy(change => change.AfterSeconds).ToList();
        var layout = new Layout(partitions, simulation.PhysicalPartitions is null ? container.Throughput : null);
        foreach (var change in changes)
        {
            var error = layout.Apply(change);
            checks.Rule(error is not null, $"{change.Path}.partition", error ?? "", sources);
        }
    }

    private bool AnyInvalid(string list, int count) => Enumerable.Range(0, count).Select(i => SpecPath.Item(list, i))
        .Any(path => checks.IsInvalid($"{path}.partition") || checks.IsInvalid($"{path}.afterSeconds"));

    /// <param name="Partition">Ordinal of the partition.</param>
    /// <param name="Brings">Number of new partitions: 2 for a split, 1 for a merge.</param>
    private sealed record Change(double AfterSeconds, int Partition, string Path, int Brings);

    /// <param name="throughput">RU/s that the partitions have to serve; null if the spec itself sets their number.</param>
    private sealed class Layout(int partitions, int? throughput)
    {
        /// <summary>Ordinals in the order of the ranges.</summary>
        private readonly List<int> _live = [.. Enumerable.Range(0, partitions)];
        private readonly Dictionary<int, string> _gone = [];
        private int _next = partitions;

        /// <summary>Makes the change. Returns why it cannot be made, or null.</summary>
        public string? Apply(Change change)
        {
            var at = _live.IndexOf(change.Partition);
            var count = change.Brings == 1 ? 2 : 1;
            var error = ErrorOf(change, at, count);
            if (error is null)
            {
                foreach (var ordinal in _live.Slice(at, count))
                    _gone[ordinal] = count == 1 ? "split" : "merged";
                _live.RemoveRange(at, count);
            }

            // After an invalid change, its new ordinals exist nevertheless, so that later uses of them are no further errors.
            _live.InsertRange(error is null ? at : _live.Count, Enumerable.Range(_next, change.Brings));
            _next += change.Brings;
            return error;
        }

        private string? ErrorOf(Change change, int at, int count)
        {
            if (at < 0)
            {
                return _gone.TryGetValue(change.Partition, out var how)
                    ? $"partition {change.Partition} is {how} already"
                    : $"partition {change.Partition} does not exist then (0..{_next - 1})";
            }

            if (count == 1)
                return null;
            if (at + 1 == _live.Count)
                return $"no partition follows partition {change.Partition} then, with which it could be merged";
            return throughput is { } served && _live.Count - 1 < SimulationSpec.DefaultPartitionsFor(served, dense: true)
                ? $"{_live.Count - 1} of the partitions would be left then, too few for {served} RU/s"
                : null;
        }
    }
}
