using ScaleOut.Analysis.Findings.Testing;

namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>One variant as it truly is, without noise.</summary>
internal sealed record Truth
{
    public required string Name { get; init; }

    public RunSpec Spec { get; init; } = new();

    /// <summary>Documents per second.</summary>
    public required double Rate { get; init; }

    /// <summary>
    /// Documents per second that the account's RU/s allow. Null for no limit. A run that uses 95% of the budget is bound by request units.
    /// </summary>
    public double? Budget { get; init; }

    public double LatencyMs { get; init; } = 5;

    public double? P99LatencyMs { get; init; }

    /// <summary>Operations per second of each step of the load.</summary>
    public IReadOnlyList<double> Steps { get; init; } = [];

    public double RequestUnits { get; init; } = 5.71;

    public double? Calls { get; init; }

    /// <summary>What the store charges for a million documents.</summary>
    public double? StorePerMillion { get; init; }

    /// <summary>Number of documents that a query returns.</summary>
    public double? Items { get; init; }

    /// <summary>Attempts per accepted operation, at least 1.</summary>
    public double Attempts { get; init; } = 1;

    /// <summary>Share of the operations' time that is spent waiting after 429s.</summary>
    public double? WaitShare { get; init; }

    public BoundBy BoundBy { get; init; } = BoundBy.Latency;

    public int? Cores { get; init; }

    public bool? KeptIndexing { get; init; } = true;

    public double? MachineShare { get; init; }

    /// <summary>Whether the account is simulated. By default it is a real account, where every claim can have a verdict.</summary>
    public bool Simulated { get; init; }

    /// <summary>Whether the account responded later than its latency parameters say.</summary>
    public bool DelaysSlipped { get; init; }

    public bool HasUnknownPhysics { get; init; }

    public bool LayoutIsCapped { get; init; }

    /// <summary>
    /// Number of repeats, from the first on, in which all workers were at work together for 5 seconds. The others have a makespan rate.
    /// Null for all.
    /// </summary>
    public int? Overlapping { get; init; }

    /// <summary>Number of repeats, from the first on, that a saturated machine bound.</summary>
    public int Saturated { get; init; }

    /// <summary>Measures all variants in turn, in rounds. Each round has an order of its own.</summary>
    public static IReadOnlyList<MeasuredVariant> Measure(IReadOnlyList<Truth> truths, int repeats, Noise noise)
    {
        var figures = truths.Select(_ => new List<RunFigures>()).ToList();
        foreach (var i in noise.Order(truths.Count, repeats))
        {
            noise.BeginRun(i);
            figures[i].Add(truths[i].Run(noise, figures[i].Count));
        }

        return [.. truths.Select((truth, i) => new MeasuredVariant(truth.Name, truth.Spec, figures[i]))];
    }

    /// <summary>Measures all variants almost without noise: rates differ by 0.1% at most from repeat to repeat.</summary>
    public static IReadOnlyList<MeasuredVariant> MeasureExactly(IReadOnlyList<Truth> truths, int repeats = 5) =>
        Measure(truths, repeats, new Noise(new Random(1), 0.0003, variants: 0));

    private RunFigures Run(Noise noise, int repeat)
    {
        var factor = noise.Measure(1);
        var rate = Math.Min(Rate * factor, Budget ?? double.PositiveInfinity);
        return new RunFigures
        {
            RunId = Name,
            State = RunState.Complete,
            Rate = rate,
            RateIsOverlap = Overlapping is not { } overlapping || repeat < overlapping,
            RequestUnitsPerOperation = RequestUnits * factor,
            CallsPerOperation = Calls * noise.Measure(1),
            ItemsPerOperation = Items,
            // A table transaction has its price, whatever the rate.
            StorePerMillion = Spec.Workload.Kind.UsesTables() ? StorePerMillion : StorePerMillion / factor,
            MeanLatencyMs = LatencyMs / factor,
            P99LatencyMs = P99LatencyMs / factor,
            P96LatencyMs = 2 * LatencyMs / factor,
            StepRates = [.. Steps.Select(step => (double?)noise.MeasureStep(step))],
            ThrottledShare = Attempts > 1 ? 1 - (1 / Math.Max(1, Attempts * factor)) : 0,
            ThrottledWaitShare = WaitShare is { } waits ? Math.Min(1, waits / factor) : null,
            BoundBy = repeat < Saturated ? BoundBy.Machine : rate >= BoundByRule.RequestUnitShare * Budget ? BoundBy.RequestUnits
                : BoundBy,
            Workers = Spec.Workers,
            DistinctInstances = Spec.Workers,
            CoresPerWorker = Cores,
            KeptIndexing = KeptIndexing,
            MachineShare = MachineShare,
            Simulated = Simulated,
            DelaysSlipped = DelaysSlipped,
            HasUnknownPhysics = HasUnknownPhysics,
            LayoutIsCapped = LayoutIsCapped,
        };
    }
}
