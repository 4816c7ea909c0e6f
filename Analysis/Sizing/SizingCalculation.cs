using ScaleOut.Analysis.Costs;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Sizing;

/// <summary>
/// Turns what was measured into what a rate needs: RU/s in proportion to the rate, workers by the scalability law where there is one, else
/// in proportion. Of workers the measurements say nothing beyond themselves; there a prediction does.
/// </summary>
public static class SizingCalculation
{
    /// <summary>Most bytes that one physical partition holds.</summary>
    public const double BytesPerPartition = SimulationSpec.MostGigabytesPerPartition * 1e9;

    private const int ThroughputStep = 100;
    private const double MostWorkers = int.MaxValue;
    private const double SecondsPerHour = 3_600;
    private const double RoundingError = 1e-12;

    /// <summary>Sizes a rate.</summary>
    /// <param name="request">The rate.</param>
    /// <param name="basis">What was measured.</param>
    /// <param name="predict">Predicts the workers where so many were not measured; null for no prediction.</param>
    /// <exception cref="ArgumentException">The request has errors, see <see cref="SizingRules"/>.</exception>
    public static SizingResult From(SizingRequest request, SizingBasis basis, Func<SizingResult, WorkerPrediction>? predict = null)
    {
        ArgumentNullException.ThrowIfNull(basis);
        if (SizingRules.Check(request) is { Count: > 0 } errors)
            throw new ArgumentException(string.Join("; ", errors), nameof(request));
        basis = basis.For(request.InsertsPerSecond);

        var used = request.InsertsPerSecond * basis.RequestUnitsPerInsert;
        var throughput = Math.Max(
            ContainerSpec.LeastThroughput, CeilingOf(used / (1 - request.Headroom) / ThroughputStep) * ThroughputStep);
        var forStorage = request.Documents is { } documents
            ? Math.Max(1, CeilingOf(documents * basis.DocumentBytes / BytesPerPartition))
            : (long?)null;
        var law = basis.Scalability?.Law;
        var sawPeak = law?.PeakWorkers <= basis.MostMeasured;
        var workers = WorkersFor(request.InsertsPerSecond, basis, sawPeak);
        var result = new SizingResult
        {
            Request = request,
            Source = basis.Source,
            Simulated = basis.Simulated,
            RequestUnitsUsedPerSecond = used,
            RequestUnitsPerSecond = throughput,
            PhysicalPartitions = Math.Max(CeilingOf(throughput / (double)SimulationSpec.MostRequestUnitsPerPartition), forStorage ?? 1),
            PhysicalPartitionsForStorage = forStorage,
            Workers = workers,
            DocumentsPerHour = request.InsertsPerSecond * SecondsPerHour,
            GigabytesPerHour = request.InsertsPerSecond * SecondsPerHour * basis.DocumentBytes / 1e9,
            Instance = basis.Instance,
            StopsHelpingAt = sawPeak ? law!.PeakWorkers : null,
            StopsHelpingAt95 = sawPeak ? basis.Scalability!.Peak95 : null,
            HighestRate = sawPeak ? law!.Limit : null,
        };
        // Fleets that were seen to peak do not grow in a simulation either, which knows nothing of what bends them.
        if (workers.Estimate is null && !sawPeak)
            result = result with { Prediction = predict?.Invoke(result) };
        var counted = workers.Estimate ?? result.Prediction?.Workers;
        result = result with
        {
            Cost = request.Prices is { } prices ? CostOf(prices, request.InsertsPerSecond, throughput, counted) : null,
        };
        return result with
        {
            Sentences = [.. SizingText.Sentences(result, basis)],
            Extrapolations = [.. SizingText.Extrapolations(result, basis)],
            Notes = [.. basis.Notes, .. SizingText.Notes(result, basis)],
        };
    }

    private static WorkerNeed WorkersFor(double rate, SizingBasis basis, bool sawPeak)
    {
        var most = basis.MostMeasured;
        if (basis.Scalability is { Law: { } law } fit)
        {
            if (Whole(law.WorkersFor(rate)) is not { } byLaw || byLaw > most)
                return NotKnown(
                    sawPeak ? "by the scalability law no number of workers reaches the rate" : SizingText.NotMeasured(basis));
            var next = fit.IntervalOfNext((other, scatter) => other.WorkersFor(rate / scatter) ?? double.PositiveInfinity);
            return Need(byLaw, Whole(next.Low), Whole(next.High), most);
        }

        if (rate * (1 - RoundingError) > basis.HighestRate || Whole(rate / basis.RatePerWorker) is not { } estimate || estimate > most)
            return NotKnown(SizingText.NotMeasured(basis));
        return basis.RatePerWorker95 is { } perWorker
            ? Need(estimate, Whole(rate / perWorker.High), Whole(rate / perWorker.Low), most)
            : new WorkerNeed { Estimate = estimate, HasInterval = false, Reason = "nothing says how much the rate of one worker varies" };
    }

    private static WorkerNeed NotKnown(string reason) => new() { HasInterval = false, Reason = reason };

    /// <summary>An upper end beyond what was measured is none.</summary>
    private static WorkerNeed Need(int estimate, int? low, int? high, int most) => new()
    {
        Estimate = estimate,
        Low = Math.Min(low ?? estimate, estimate),
        High = high <= most ? Math.Max(high.Value, estimate) : null,
        HasInterval = true,
    };

    private static SizingCost CostOf(PriceList prices, double rate, long throughput, int? workers)
    {
        var forThroughput = throughput * prices.RequestUnitPerSecondHour;
        var forWorkers = workers * prices.InstanceSecond * SecondsPerHour;
        var perHour = forThroughput + forWorkers;
        return new SizingCost
        {
            Currency = prices.Currency,
            RequestUnitsPerHour = forThroughput,
            InstancesPerHour = forWorkers,
            PerHour = perHour,
            PerMillion = perHour / (rate * SecondsPerHour) * 1e6,
            PriceSource = prices.Source,
        };
    }

    /// <summary>Whole workers, at least 1; null for none and for more than can be counted.</summary>
    private static int? Whole(double? workers) => workers is { } known && known <= MostWorkers ? Math.Max(1, (int)CeilingOf(known)) : null;

    /// <summary>Rounds up what is more than rounding error above a whole number.</summary>
    private static long CeilingOf(double value) => (long)Math.Ceiling(value * (1 - RoundingError));
}

/// <summary>What the sizing costs, in the price list's currency.</summary>
public sealed record SizingCost
{
    public required string Currency { get; init; }

    /// <summary>The provisioned RU/s for an hour.</summary>
    public required double RequestUnitsPerHour { get; init; }

    /// <summary>The estimated or predicted worker instances for an hour; null when their number is not known.</summary>
    public double? InstancesPerHour { get; init; }

    /// <summary>Both for an hour; null with <see cref="InstancesPerHour"/>.</summary>
    public double? PerHour { get; init; }

    /// <summary>Both for as long as a million inserts take at the rate; null with <see cref="InstancesPerHour"/>.</summary>
    public double? PerMillion { get; init; }

    /// <summary>Where the prices are from; null when the file does not say.</summary>
    public string? PriceSource { get; init; }
}

/// <summary>How many workers a rate needs.</summary>
public sealed record WorkerNeed
{
    /// <summary>1 and more; null when so many were not measured, or no number of them reaches the rate.</summary>
    public int? Estimate { get; init; }

    /// <summary>
    /// Lower end of the 95% interval for one fleet, whose rate scatters as those that were measured did; null without an interval.
    /// </summary>
    public int? Low { get; init; }

    /// <summary>Upper end of that interval; null without one, and when it is more than were measured.</summary>
    public int? High { get; init; }

    /// <summary>Whether there is an interval: where it has no upper end, as many as were measured may not be enough.</summary>
    public required bool HasInterval { get; init; }

    /// <summary>Why there is no estimate, or no interval; null when there are both.</summary>
    public string? Reason { get; init; }
}
