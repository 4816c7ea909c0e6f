using System.Text.Json;
using System.Text.Json.Serialization;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Tables;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Measurement;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Sizing;

/// <summary>Takes a sizing's basis from what was measured; nothing throws, what is missing is an error.</summary>
public static class SizingBases
{
    /// <summary>From one run, which says nothing of how much runs differ, so that there is no interval.</summary>
    public static SizingBasisReading From(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var name = $"run {report.Id}";
        return From(name, name, report.Spec, [RunFigures.From(report)]);
    }

    /// <summary>From the repeats of one variant.</summary>
    public static SizingBasisReading From(VariantResult variant)
    {
        ArgumentNullException.ThrowIfNull(variant);
        return From(
            variant.Name, $"variant {variant.Name}", variant.Spec, [.. variant.Repeats.Where(figures => figures.IsUsable)]);
    }

    /// <summary>
    /// From variants that differ in the number of workers: with a scalability law where 5 of them allow a fit, else from the usable variant
    /// with most workers. Points that request units, a partition or the shared machine bound are left out of both while others are there.
    /// </summary>
    public static SizingBasisReading OfScaleOut(IReadOnlyList<VariantResult> variants)
    {
        ArgumentNullException.ThrowIfNull(variants);
        var measured = variants.Select(variant => (Variant: variant, Limits: new MeasuredVariant(variant)))
            .Where(one => one.Limits.Usable.Count > 0).ToList();
        if (measured.Count == 0)
            return new SizingBasisReading(null, ["no variant has a complete run with a rate"]);

        var free = measured.Where(one => one.Limits.LeftOutOfScaling is null).ToList();
        var fleets = (free.Count > 0 ? free : measured).OrderBy(one => one.Variant.Spec.Workers).Select(one => From(one.Variant)).ToList();
        if (fleets[^1].Basis is not { } basis)
            return fleets[^1];
        var fit = ScalabilityFit.From(measured.SelectMany(one => one.Limits.ScalabilityPoints));
        return new SizingBasisReading(
            basis with
            {
                Source = fit.Law is null ? basis.Source : $"the scalability law of {measured.Count} variants",
                Fleets = [.. fleets.Select(fleet => fleet.Basis).OfType<SizingBasis>()],
                HighestRate = measured.Max(one => one.Limits.TypicalRate),
                Scalability = fit,
                Notes = fit.Law is null ? [.. basis.Notes, $"There is no scalability law: {fit.Reason}."] : [],
            },
            []);
    }

    private static SizingBasisReading From(string name, string source, RunSpec spec, IReadOnlyList<RunFigures> complete)
    {
        var errors = ErrorsOf(name, spec, complete).ToList();
        if (errors.Count > 0)
            return new SizingBasisReading(null, errors);
        var usable = complete.Where(IsBasis).ToList();
        return new SizingBasisReading(
            Basis(source, spec, usable) with
            {
                RatePerWorker95 = RepeatIntervals.OfNext([.. usable.Select(figures => figures.Rate!.Value / spec.Workers)]),
                Notes = usable.Count < 2
                    ? ["A single run says nothing of how much the rate varies, so the number of workers has no interval."]
                    : [],
            },
            []);
    }

    private static SizingBasis Basis(string source, RunSpec spec, IReadOnlyList<RunFigures> usable)
    {
        var rate = LogSample.From([.. usable.Select(figures => figures.Rate!.Value)]).GeometricMean;
        return new SizingBasis
        {
            Source = source,
            RunIds = [.. usable.Select(figures => figures.RunId)],
            Simulated = usable.Any(figures => figures.Simulated),
            RequestUnitsPerInsert = usable.Average(figures => figures.RequestUnitsPerOperation!.Value),
            DocumentBytes = DocumentShape.From(spec.Document).Bytes,
            MostWorkers = spec.Workers,
            HighestRate = rate,
            RatePerWorker = rate / spec.Workers,
            Instance = InstanceOf(spec, usable),
            BoundBy = new MeasuredVariant(new VariantResult { Name = source, Spec = spec, Repeats = usable }).MostlyBoundBy,
        };
    }

    /// <summary>What one worker was: its mode, its operations in flight and its cores.</summary>
    private static string InstanceOf(RunSpec spec, IReadOnlyList<RunFigures> usable)
    {
        var settings = Enumerable.Range(0, spec.Workers).Select(spec.SettingsOf).Distinct().ToList();
        if (settings.Count > 1)
            return $"one of the workers of {settings.Count} kinds that the spec mixes";
        var cores = usable.Select(figures => figures.CoresPerWorker).Distinct().ToList();
        var text = WorkerTable.SettingsOf(settings[0] with { Cores = null });
        return settings[0].Cores is { } asked ? $"{text}, {Words.Amount(asked, "core")}"
            : cores is [{ } had] ? $"{text}, {Words.Amount(had, "core")}"
            : $"{text}, cores not known";
    }

    private static bool IsBasis(RunFigures figures) => figures is { CountsForFindings: true, RateIsOverlap: true };

    private static IEnumerable<string> ErrorsOf(string source, RunSpec spec, IReadOnlyList<RunFigures> usable)
    {
        if (spec.Workload.Steps is not null)
            yield return $"{source}: its load went in steps, whose users would become one rate; size by a run with the same load "
                + "throughout";
        if (spec.Workload.Kind.UsesTables())
            yield return $"{source}: a workload of kind tableBatch says nothing about RU/s, which a table does not have";
        else if (spec.Workload.Kind is WorkloadKind.Read or WorkloadKind.Query or WorkloadKind.Delete)
            yield return $"{source}: a workload of kind {JsonNamingPolicy.CamelCase.ConvertName(spec.Workload.Kind.ToString())} says "
                + "nothing about inserts";
        if (!usable.Any(figures => figures.IsUsable))
            yield return $"{source}: no run is complete with a rate above 0";
        else if (!usable.Any(figures => figures.CountsForFindings))
            yield return $"{source}: {Say.Slipped}, so its rate says nothing of an account";
        else if (!usable.Any(IsBasis))
            yield return $"{source}: all workers were at work together for under {OverlapWindow.MinSeconds} seconds, so there is no "
                + "rate to size by";
        else if (usable.Any(figures => figures.RequestUnitsPerOperation is not > 0))
            yield return $"{source}: it was not measured what a document is charged";
    }
}

/// <summary>What was measured, as far as a sizing rests on it. See <see cref="SizingBases"/> for how it is taken from reports.</summary>
public sealed record SizingBasis
{
    /// <summary>Where it is from, such as <c>run million-1</c>.</summary>
    public required string Source { get; init; }

    /// <summary>The runs that it is from, of a scalability law those of its largest fleet.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> RunIds { get; init; } = [];

    /// <summary>Fleets of several numbers of workers that were measured, by these numbers; empty where there is one only.</summary>
    [JsonIgnore]
    public IReadOnlyList<SizingBasis> Fleets { get; init; } = [];

    /// <summary>Whether it was measured on the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>RU charged per document, above 0.</summary>
    public required double RequestUnitsPerInsert { get; init; }

    /// <summary>Typical size of a document's JSON in bytes.</summary>
    public required double DocumentBytes { get; init; }

    /// <summary>Most workers that were measured.</summary>
    public required int MostWorkers { get; init; }

    /// <summary>Most workers that anything can be said of: those of the scalability law where there is one.</summary>
    [JsonIgnore]
    public int MostMeasured => Scalability is { Law: not null } fit ? fit.MostWorkers : MostWorkers;

    /// <summary>Highest rate that was measured.</summary>
    public required double HighestRate { get; init; }

    /// <summary>Typical documents per second of one worker among those measured, above 0.</summary>
    public required double RatePerWorker { get; init; }

    /// <summary>
    /// Where <see cref="RatePerWorker"/> of one more fleet lies in 95 of 100 cases; null when nothing says how much it varies.
    /// </summary>
    public Interval? RatePerWorker95 { get; init; }

    /// <summary>The scalability law over numbers of workers, or why there is none; null when only one number was measured.</summary>
    public ScalabilityFit? Scalability { get; init; }

    /// <summary>What kept the workers from doing more; null when it is not known.</summary>
    public BoundBy? BoundBy { get; init; }

    /// <summary>What one worker was, such as <c>Direct, 50 in flight, 2 cores</c>; null where it is not known.</summary>
    public string? Instance { get; init; }

    /// <summary>What a reader must know of the measurements.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Without a scalability law, the smallest fleet that was measured to reach a rate; else this.</summary>
    public SizingBasis For(double rate) =>
        Scalability?.Law is null && Fleets.FirstOrDefault(fleet => fleet.HighestRate >= rate) is { } fleet
            ? fleet with { Scalability = Scalability, Notes = [.. fleet.Notes, .. Notes.Except(fleet.Notes)] }
            : this;
}

/// <summary>What came of looking for a sizing's basis in what was measured.</summary>
/// <param name="Basis">Null exactly when there are errors.</param>
/// <param name="Errors">Why the measurements do not say what is needed; all of it.</param>
public sealed record SizingBasisReading(SizingBasis? Basis, IReadOnlyList<string> Errors);
