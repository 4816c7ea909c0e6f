namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A variant's usable runs, and what most of them have in common.</summary>
internal sealed class MeasuredVariant
{
    private readonly VariantResult _result;
    private readonly int _notComplete;
    private readonly int _slipped;
    private readonly int _withoutOverlap;
    private readonly int _saturated;

    /// <param name="test">What the runs are to say something of; null for their rates.</param>
    public MeasuredVariant(VariantResult result, FindingTest? test = null)
    {
        var isAboutTime = test is not { IsAboutTime: false };
        bool IsSaturated(RunFigures figures) =>
            isAboutTime && (figures.BoundByMachine || (test is { IsAboutLatency: true } && figures.OnSaturatedMachine));
        _result = result;
        var complete = result.Repeats.Where(figures => figures.IsUsable).ToList();
        _notComplete = result.Repeats.Count - complete.Count;
        var delivered = complete.Where(figures => figures.CountsForFindings || !isAboutTime).ToList();
        _slipped = complete.Count - delivered.Count;
        // A rate with the ramp in it is another figure than one without.
        var comparable = test is not { ComparesRates: false } ? delivered.Where(figures => figures.RateIsOverlap).ToList() : delivered;
        _withoutOverlap = delivered.Count - comparable.Count;
        IsBoundByMachine = comparable.Count > 0 && 2 * comparable.Count(IsSaturated) >= comparable.Count;
        // Where it is most of the runs the variant as a whole says nothing, and its figures are shown with the reason.
        _saturated = test is { IsAboutTheMachine: true } || IsBoundByMachine ? 0 : comparable.Count(IsSaturated);
        Usable = _saturated == 0 ? comparable : [.. comparable.Where(figures => !IsSaturated(figures))];
    }

    public string Name => _result.Name;

    public RunSpec Spec => _result.Spec;

    /// <summary>The runs that count.</summary>
    public IReadOnlyList<RunFigures> Usable { get; }

    /// <summary>Whether enough runs count to know how far they scatter.</summary>
    public bool IsRepeated => Usable.Count >= RatioEffect.MinValues;

    /// <summary>Whether every run counts, so that each is of the same round as the run in its place of another such variant.</summary>
    public bool IsWhole => Usable.Count == (_result.Runs ?? _result.Repeats.Count);

    /// <summary>Why no run counts; null when one does.</summary>
    public string? NothingUsable =>
        Usable.Count > 0 ? null
        : _withoutOverlap > 0 ? $"in no run of {Name} were all workers at work together for {OverlapWindow.MinSeconds} seconds"
        : _slipped > 0 ? $"no run of {Name} was complete with a rate and the delays of its physics: {ClaimText.Slipped}"
        : $"no run of {Name} was complete with a rate";

    /// <summary>Sentences on the runs that do not count.</summary>
    public IEnumerable<string> LeftOutNotes
    {
        get
        {
            string Note(int count, string reason) => $"{count} of {_result.Repeats.Count} runs of {Name} are left out: {reason}.";
            if (_notComplete > 0)
                yield return Note(_notComplete, "they are not complete");
            if (_slipped > 0)
                yield return Note(_slipped, ClaimText.Slipped);
            if (_withoutOverlap > 0)
                yield return Note(
                    _withoutOverlap,
                    $"all workers were at work together for under {OverlapWindow.MinSeconds} seconds, so they have no rate to compare");
            if (_saturated > 0)
                yield return Note(_saturated, "a machine that its workers shared was at its limit");
        }
    }

    public IReadOnlyList<double> Rates => [.. Usable.Select(figures => figures.Rate!.Value)];

    /// <summary>Geometric mean of the rates; NaN without any.</summary>
    public double TypicalRate => LogSample.From(Rates).GeometricMean;

    public bool Simulated => _result.Repeats.Any(figures => figures.Simulated);

    /// <summary>Whether any run that counts had other physical partitions than the service gives.</summary>
    public bool LayoutIsCapped => Usable.Any(figures => figures.LayoutIsCapped);

    /// <summary>Cores that each worker had in every run; null when that is not known, or changed from run to run.</summary>
    public int? Cores => Usable.Select(figures => figures.CoresPerWorker).Distinct().ToList() is [var cores] ? cores : null;

    /// <summary>Operations in flight of all workers together, as the spec asks for them.</summary>
    public double Concurrency => ConcurrencyOf(Spec);

    public static double ConcurrencyOf(RunSpec spec) =>
        Enumerable.Range(0, spec.Workers).Sum(worker => (double)spec.SettingsOf(worker).Concurrency);

    /// <summary>Whether a shared machine bound at least half of the runs.</summary>
    public bool IsBoundByMachine { get; }

    /// <summary>Whether request units, the container's or one partition's, bound at least half of the runs.</summary>
    public bool IsBoundByBudget => InHalf(figures => figures.BoundBy is BoundBy.RequestUnits or BoundBy.Partition);

    /// <summary>
    /// What set the rate from outside in at least half of the runs, so that no setting of the client could change it: request units, a
    /// partition, or the rate asked for; null when nothing did.
    /// </summary>
    public BoundBy? Cap =>
        InHalf(figures => figures.BoundBy is BoundBy.RequestUnits) ? BoundBy.RequestUnits
        : InHalf(figures => figures.BoundBy is BoundBy.Partition) ? BoundBy.Partition
        : IsBoundByBudget ? BoundBy.RequestUnits
        : InHalf(figures => figures.BoundBy is BoundBy.Rate) ? BoundBy.Rate
        : null;

    /// <summary>Why the rates say nothing about how workers scale, such as <c>bound by request units</c>; null when they do.</summary>
    public string? LeftOutOfScaling =>
        IsBoundByMachine ? "bound by the shared machine" : IsBoundByBudget ? $"bound by {ClaimText.Cap(Cap!.Value)}" : null;

    /// <summary>The complete runs as points of a scalability law.</summary>
    public IEnumerable<ScalabilityPoint> ScalabilityPoints =>
    [
        .. Rates.Select(rate => new ScalabilityPoint(Spec.Workers, rate, LeftOutOfScaling)),
        .. Usable.Count > 0 ? [] : _result.Repeats.Where(figures => figures.IsUsable).Select(figures =>
            new ScalabilityPoint(Spec.Workers, figures.Rate!.Value, NoOverlap)),
    ];

    /// <summary>Values of a figure, where every usable run has one above 0; else null.</summary>
    public IReadOnlyList<double>? Values(Func<RunFigures, double?> figure)
    {
        var values = Usable.Select(figure).ToList();
        return values.Count > 0 && values.All(value => value is > 0 and var known && double.IsFinite(known))
            ? [.. values.Select(value => value!.Value)]
            : null;
    }

    private static string NoOverlap { get; } = $"all workers were at work together for under {OverlapWindow.MinSeconds} seconds";

    private bool InHalf(Func<RunFigures, bool> holds) => Usable.Count > 0 && 2 * Usable.Count(holds) >= Usable.Count;
}

/// <summary>A claim that compares two variants, and what can keep their runs from saying anything about it.</summary>
internal abstract class PairTest(FindingKind kind, FindingRoles roles) : FindingTest(kind, roles)
{
    /// <summary>
    /// Whether a limit that sets the rate from outside (request units, a partition, the rate asked for) hides the effect.
    /// </summary>
    protected virtual bool Hides(BoundBy cap) => true;

    /// <summary>Why the runs cannot say anything, from what was measured; null when they can.</summary>
    protected virtual string? Obstacle(FindingCase given) => null;

    /// <summary>What hides the effect in a variant's runs; null when nothing does.</summary>
    protected BoundBy? CapOf(MeasuredVariant variant) => variant.Cap is { } cap && Hides(cap) ? cap : null;

    /// <summary>Why the claim is not tested; null when it is.</summary>
    protected string? WhyNotTested(FindingCase given) =>
        given.NothingMeasured ?? Obstacle(given) ?? given.BoundByMachine ?? CappedAlike(given);

    private string? CappedAlike(FindingCase given) => CapOf(given.Baseline) is { } cap && CapOf(given.Changed) == cap
        ? $"both variants were bound by {ClaimText.Cap(cap)}, which set the rate of both"
        : null;
}
