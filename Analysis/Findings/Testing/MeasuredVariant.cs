namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A variant with the figures of its runs: which of them a test can use, and what most of these have in common.</summary>
internal sealed class MeasuredVariant
{
    private readonly int _runs;
    private readonly IReadOnlyList<string> _leftOut;
    private readonly int _notComplete;
    private readonly IReadOnlyList<MachineEffect> _spoiled;
    private readonly int _withoutOverlap;
    private readonly int _saturated;

    /// <param name="spec">The effective spec: the base with the variant's changes.</param>
    /// <param name="repeats">In the order in which they ran.</param>
    /// <param name="runs">Number of runs that were made, including those without figures. Null if every run has figures.</param>
    /// <param name="test">The test that uses the runs. Null if only their rates are used.</param>
    public MeasuredVariant(
        string name, RunSpec spec, IReadOnlyList<RunFigures> repeats, int? runs = null, FindingTest? test = null)
    {
        (Name, Spec, Repeats, _runs) = (name, spec, repeats, runs ?? repeats.Count);
        var isAboutTime = test is not { IsAboutTime: false };
        bool IsSaturated(RunFigures figures) => isAboutTime && (test is { IsAboutLatency: true }
            ? figures.BoundByMachine || figures.OnSaturatedMachine
            : figures.RateSpoiledBy == MachineEffect.FullMachine);
        var complete = Repeats.Where(figures => figures.IsUsable).ToList();
        _leftOut = [.. Repeats.Select(figures => figures.WhyLeftOut).OfType<string>()];
        _notComplete = Repeats.Count - complete.Count - _leftOut.Count;
        // A full machine is judged below. Machines that workers share do not change RU and requests per operation.
        MachineEffect? SpoiledBy(RunFigures figures) => !isAboutTime ? null
            : (test is { IsAboutLatency: true } ? figures.LatencySpoiledBy : figures.RateSpoiledBy) is { } effect
                && effect != MachineEffect.FullMachine ? effect : null;
        var delivered = complete.Where(figures => SpoiledBy(figures) is null).ToList();
        _spoiled = [.. complete.Select(SpoiledBy).OfType<MachineEffect>()];
        // A makespan rate contains the start and the end of the run, so it cannot be compared with an overlap rate.
        var comparable = test is not { ComparesRates: false } ? delivered.Where(figures => figures.RateIsOverlap).ToList() : delivered;
        _withoutOverlap = delivered.Count - comparable.Count;
        IsBoundByMachine = comparable.Count > 0 && 2 * comparable.Count(IsSaturated) >= comparable.Count;
        // If a machine bound at least half of the runs, none of them is left out: the claim is not tested, and the figures are shown with
        // that reason.
        _saturated = test is { IsAboutTheMachine: true } || IsBoundByMachine ? 0 : comparable.Count(IsSaturated);
        Usable = _saturated == 0 ? comparable : [.. comparable.Where(figures => !IsSaturated(figures))];
    }

    public string Name { get; }

    public RunSpec Spec { get; }

    public IReadOnlyList<RunFigures> Repeats { get; }

    /// <summary>The runs that count.</summary>
    public IReadOnlyList<RunFigures> Usable { get; }

    /// <summary>Whether enough runs count to estimate their scatter.</summary>
    public bool IsRepeated => Usable.Count >= RatioEffect.MinValues;

    /// <summary>Whether a busy machine is the reason that too few runs count for a verdict, or that the runs show nothing.</summary>
    public bool IsSpoiled => IsBoundByMachine || (!IsRepeated && _spoiled.Count + _saturated > 0);

    /// <summary>Whether every run counts. Runs at the same index of two such variants are then from the same round.</summary>
    public bool IsWhole => Usable.Count == _runs;

    /// <summary>Why no run counts. Null if one does.</summary>
    public string? NothingUsable
    {
        get
        {
            if (Usable.Count > 0)
                return null;
            if (_withoutOverlap > 0)
                return $"no run of {Name} has {OverlapWindow.MinSeconds} seconds with all workers at work";
            if (_spoiled.Count > 0)
                return $"no run of {Name} has responses in time";
            return _leftOut.Count > 0
                ? $"no run of {Name} was complete with a rate: {_leftOut[0]}"
                : $"no run of {Name} was complete with a rate";
        }
    }

    /// <summary>Sentences about the runs that do not count.</summary>
    public IEnumerable<string> LeftOutNotes => ((IReadOnlyList<(int Count, string Reason)>)
    [
        (_notComplete, "they are not complete"),
        .. _leftOut.GroupBy(reason => reason).Select(same => (same.Count(), same.Key)),
        .. _spoiled.GroupBy(effect => effect).Select(same => (
            same.Count(), same.Key == MachineEffect.LateDelays ? DelayReport.CameLate : Validity.Text(same.Key))),
        (_withoutOverlap, NoOverlap),
        (_saturated, "a machine that its workers shared was at its limit"),
    ]).Where(one => one.Count > 0).Select(one => $"{one.Count} of {Repeats.Count} runs of {Name} are left out: {one.Reason}.");

    public IReadOnlyList<double> Rates => [.. Usable.Select(figures => figures.Rate!.Value)];

    /// <summary>Geometric mean of the rates. NaN without runs.</summary>
    public double TypicalRate => LogSample.From(Rates).GeometricMean;

    public bool Simulated => Repeats.Any(figures => figures.Simulated);

    /// <summary>Whether any run that counts had a different number of physical partitions than the service would create.</summary>
    public bool LayoutIsCapped => Usable.Any(figures => figures.LayoutIsCapped);

    /// <summary>Cores of each worker. Null if that is unknown, or if it changed from run to run.</summary>
    public int? Cores => Usable.Select(figures => figures.CoresPerWorker).Distinct().ToList() is [var cores] ? cores : null;

    /// <summary>Operations in flight of all workers together, according to the spec.</summary>
    public double Concurrency => ConcurrencyOf(Spec);

    /// <summary>The variant as a test uses it.</summary>
    public MeasuredVariant For(FindingTest test) => new(Name, Spec, Repeats, _runs, test);

    public static double ConcurrencyOf(RunSpec spec) =>
        Enumerable.Range(0, spec.Workers).Sum(worker => (double)spec.SettingsOf(worker).Concurrency);

    /// <summary>Whether a shared machine bound at least half of the runs.</summary>
    public bool IsBoundByMachine { get; }

    /// <summary>Whether request units, the container's or one partition's, bound at least half of the runs.</summary>
    public bool IsBoundByBudget => InHalf(figures => figures.BoundBy is BoundBy.RequestUnits or BoundBy.Partition);

    /// <summary>
    /// The outside limit that set the rate in at least half of the runs: request units, a partition, or the rate asked for. No setting of
    /// the client could change that rate. Null if there was no such limit, as where a load only came in bursts.
    /// </summary>
    public BoundBy? Cap => BudgetOf(figures => !figures.CameInBursts)
        ?? (InHalf(figures => figures.BoundBy == BoundBy.Rate) ? BoundBy.Rate : null);

    /// <summary>Why the rates say nothing about how workers scale, such as <c>bound by request units</c>. Null if they do.</summary>
    public string? LeftOutOfScaling =>
        IsBoundByMachine ? "bound by the shared machine" : BudgetOf(_ => true) is { } budget ? $"bound by {Words.From(budget)}" : null;

    /// <summary>The complete runs as points of a scalability law.</summary>
    public IEnumerable<ScalabilityPoint> ScalabilityPoints =>
    [
        .. Rates.Select(rate => new ScalabilityPoint(Spec.Workers, rate, LeftOutOfScaling)),
        .. Usable.Count > 0 ? [] : Repeats.Where(figures => figures.IsUsable).Select(figures =>
            new ScalabilityPoint(Spec.Workers, figures.Rate!.Value, NoOverlap)),
    ];

    /// <summary>A figure of every usable run. Null unless each run has one above 0.</summary>
    public IReadOnlyList<double>? Values(Func<RunFigures, double?> figure)
    {
        var values = Usable.Select(figure).ToList();
        return values.Count > 0 && values.All(value => value is > 0 and var known && double.IsFinite(known))
            ? [.. values.Select(value => value!.Value)]
            : null;
    }

    private static string NoOverlap { get; } = $"under {OverlapWindow.MinSeconds} seconds with all workers at work";

    /// <summary>The budget that bound at least half of the runs; null if none did.</summary>
    /// <param name="counts">Whether a run that a budget bound counts.</param>
    private BoundBy? BudgetOf(Func<RunFigures, bool> counts)
    {
        bool IsMostly(params BoundBy?[] limits) => InHalf(figures => limits.Contains(figures.BoundBy) && counts(figures));
        return IsMostly(BoundBy.RequestUnits) ? BoundBy.RequestUnits
            : IsMostly(BoundBy.Partition) ? BoundBy.Partition
            : IsMostly(BoundBy.RequestUnits, BoundBy.Partition) ? BoundBy.RequestUnits
            : null;
    }

    private bool InHalf(Func<RunFigures, bool> holds) => Usable.Count > 0 && 2 * Usable.Count(holds) >= Usable.Count;
}
