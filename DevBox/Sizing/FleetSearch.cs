using ScaleOut.Analysis.Reports.Building;

namespace ScaleOut.DevBox.Sizing;

/// <summary>What <c>size</c> responds, as <c>--json</c> writes it.</summary>
internal sealed record SizeResult
{
    /// <summary>Documents a second that were asked for; null if a number of workers was given.</summary>
    public double? Rate { get; init; }

    /// <summary>Whether <see cref="Fleet"/> holds <see cref="Rate"/>; null without one.</summary>
    public bool? Reached { get; init; }

    /// <summary>The fleet; where none holds the rate, the one that was simulated last.</summary>
    public required FleetForecast Fleet { get; init; }

    /// <summary>The settings per worker that were tried for the rate; empty without one.</summary>
    public IReadOnlyList<TriedSetting> Tried { get; init; } = [];

    /// <summary>What the simulation rests on.</summary>
    public required IReadOnlyList<BasisFigure> Basis { get; init; }

    /// <summary>What is not in the figures.</summary>
    public required IReadOnlyList<string> Notes { get; init; }
}

/// <summary>How many workers of one setting a rate takes.</summary>
/// <param name="Concurrency">Operations in flight per worker.</param>
/// <param name="Enough">The smallest fleet that holds the rate; null when there is none.</param>
/// <param name="TooFew">The largest fleet that was seen not to hold it; null when one worker does.</param>
internal sealed record TriedSetting(int Concurrency, FleetForecast? Enough, FleetForecast? TooFew);

/// <summary>
/// Looks for the fewest workers that hold a rate, by simulating fleets that share the rate evenly. Where the CPU of an operation is known,
/// workers are also given more operations in flight, as long as that makes them fewer.
/// </summary>
internal sealed class FleetSearch
{
    /// <summary>Share of the RU/s kept spare where the command does not say.</summary>
    public const double DefaultHeadroom = 0.1;

    /// <summary>Most documents a second of fleets that are simulated whole.</summary>
    private const double MaxWholeRate = 100_000;

    private const long MaxOperations = 500_000;
    private const int MaxSettings = 10;
    private const int ThroughputStep = 100;

    /// <summary>Share to which the number of workers is refined.</summary>
    private const double Fineness = 0.01;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(30);

    private readonly RunSpec _spec;
    private readonly FleetSpec _fleet;
    private readonly double _rate;
    private readonly PriceList? _prices;

    private FleetSearch(RunSpec spec, FleetSpec fleet, double rate, PriceList? prices) =>
        (_spec, _fleet, _rate, _prices) = (spec, fleet, rate, prices);

    /// <summary>Sizes the fleet for a rate.</summary>
    /// <param name="headroom">Share of the RU/s kept spare; null for a container that keeps the RU/s of its spec.</param>
    /// <param name="otherSettings">Whether workers may be given more operations in flight than the spec says.</param>
    /// <exception cref="InputException">No container has the RU/s, or the fleet is too large to simulate.</exception>
    public static SizeResult Find(FleetBasis basis, double rate, double? headroom, bool otherSettings, PriceList? prices)
    {
        var spec = basis.Spec;
        if (headroom is { } spare)
            spec = spec with { Container = spec.Container with { Throughput = ThroughputFor(basis, rate, spare) } };
        var partitions = FleetSpecs.PartitionsOf(spec);
        var fleet = FleetSpecs.From(basis with { Spec = spec }, partitions) with
        {
            // Credit for bursts is used up in minutes; the rate is to be held.
            Burst = false, Duration = Duration, MostOperations = MaxOperations,
        };
        if (rate > MaxWholeRate && (fleet.Bulk || fleet.PartitionWeights is not null))
        {
            throw new InputException(
                $"--rate: in bulk, and with keys that documents share, no fleet above {Numbers.Brief(MaxWholeRate)} documents a second is "
                    + "looked for; --workers simulates one.");
        }

        var tried = new FleetSearch(spec, fleet, rate, prices).TryAll(otherSettings && basis.CpuMsPerAttempt > 0);
        var found = tried.Where(setting => setting.Enough is not null).MinBy(setting => setting.Enough!.Workers)?.Enough;
        return new SizeResult
        {
            Rate = rate,
            Reached = found is not null,
            Fleet = found ?? tried.Select(setting => setting.TooFew!).MaxBy(forecast => forecast.PerSecond)!,
            Tried = tried,
            Basis = basis.Figures,
            Notes = [.. NotesOf(basis.Spec, fleet.Cores), .. basis.Notes, .. FleetSpecs.LeftOutOf(spec)],
        };
    }

    /// <summary>RU/s to provision: with the headroom, in steps of 100.</summary>
    private static int ThroughputFor(FleetBasis basis, double rate, double headroom)
    {
        var used = rate * (basis.ChargePerDocument ?? FleetSpecs.ChargeOf(basis.Spec));
        var needed = Math.Max(ContainerSpec.MinThroughput, Math.Ceiling(used / (1 - headroom) / ThroughputStep) * ThroughputStep);
        return needed <= ContainerSpec.MaxThroughput
            ? (int)needed
            : throw new InputException(
                $"--rate: {Numbers.Brief(rate)} documents a second need {Numbers.Brief(needed)} RU/s, and a container has at most "
                    + $"{Numbers.Count(ContainerSpec.MaxThroughput)}.");
    }

    private static IEnumerable<string> NotesOf(RunSpec spec, int cores)
    {
        yield return $"a fleet holds the rate while its clients use less than {Numbers.Percent(BoundByRule.ClientShare)} of their cores "
            + $"and begin no operation a second late; workers with more than {Words.Amount(cores, "core")} are not looked for";
        if (spec.Client.Rate is not null)
            yield return "client.rate of the spec is replaced by each worker's share of the rate";
        if (spec.Simulation?.Burst == true)
            yield return "burst capacity is left out, because the rate is to be held";
    }

    private List<TriedSetting> TryAll(bool otherSettings)
    {
        List<TriedSetting> tried = [Try(_fleet.Concurrency)];
        while (otherSettings && tried.Count < MaxSettings && MayImprove(tried[^1])
            && 2 * tried[^1].Concurrency <= ClientSpec.MaxConcurrency)
        {
            var next = Try(2 * tried[^1].Concurrency);
            var before = tried[^1];
            tried.Add(next);
            if (before.Enough is { } enough ? next.Enough is not { } fewer || fewer.Workers >= enough.Workers
                : next.Enough is null && next.TooFew!.PerSecond <= before.TooFew!.PerSecond)
                break;
        }

        return tried;
    }

    /// <summary>Whether more operations in flight may make do with fewer workers.</summary>
    private static bool MayImprove(TriedSetting last) => last.Enough is { } enough ? enough.Workers > 1 : !IsBudget(last.TooFew);

    /// <summary>The smallest fleet of one setting, but for <see cref="Fineness"/>.</summary>
    private TriedSetting Try(int concurrency)
    {
        FleetForecast Of(int workers) => Simulate(workers, concurrency);
        var low = Of(1);
        if (Holds(low))
            return new TriedSetting(concurrency, low, null);
        var step = 1;
        FleetForecast? high = null;
        var workers = (int)Math.Clamp(Math.Ceiling(_rate / Math.Max(low.PerSecond, 0.001)), 2, RunSpec.MaxWorkers);
        while (!IsBudget(low) && !Holds(high = Of(workers)))
        {
            (low, high) = (high, null);
            if (workers == RunSpec.MaxWorkers)
                break;
            workers = Math.Min(workers + step, RunSpec.MaxWorkers);
            step *= 2;
        }

        // More workers do not help where the budget is used up.
        if (high is null)
            return new TriedSetting(concurrency, null, low);
        // The estimate is mostly right, so that the first look is just below it.
        for (var middle = high.Workers - Math.Max(1, high.Workers / 20); high.Workers - low.Workers > Math.Max(1, Fineness * high.Workers);
            middle = low.Workers + ((high.Workers - low.Workers) / 2))
        {
            var between = Of(Math.Max(middle, low.Workers + 1));
            if (Holds(between))
                high = between;
            else
                low = between;
        }

        return new TriedSetting(concurrency, high, low);
    }

    private FleetForecast Simulate(int workers, int concurrency) => FleetForecast.From(
        _spec, VirtualFleet.Simulate(_fleet with { Workers = workers, Concurrency = concurrency, Rate = _rate / workers }), _prices);

    private static bool Holds(FleetForecast forecast) =>
        forecast.Utilization is { KeptSchedule: true, Client: null } or { KeptSchedule: true, Client: < BoundByRule.ClientShare };

    private static bool IsBudget(FleetForecast? forecast) => forecast?.BoundBy is BoundBy.RequestUnits or BoundBy.Partition;
}
