namespace ScaleOut.Tests.Support.Runs;

/// <summary>Reports of made-up experiments, from the figures that a test sets.</summary>
internal static class MeasuredExperiment
{
    /// <summary>An experiment whose variants differ in operations in flight. Its RU/s are far from used up.</summary>
    /// <param name="variants">Variants with the rate of each repeat and the published rate. A variant without rates was not run.</param>
    /// <param name="boundByClient">The variant whose clients were at their limit.</param>
    /// <param name="more">Variants that differ in latency instead.</param>
    /// <param name="figures">Changes the figures of a variant's repeat, counted from 1. Default: no change.</param>
    public static ExperimentReport From(
        IReadOnlyList<(string Name, int Concurrency, double[] Rates, double? Published)> variants, double scale = 1,
        IReadOnlyList<FindingSpec>? findings = null, bool simulated = true, string? boundByClient = null,
        IReadOnlyList<(string Name, string Latency, double[] Rates)>? more = null,
        Func<string, int, RunFigures, RunFigures>? figures = null)
    {
        var changes = variants.Select(variant =>
            new JsonObject { ["client"] = new JsonObject { ["concurrency"] = variant.Concurrency } }).ToList();
        foreach (var (name, latency, rates) in more ?? [])
        {
            variants = [.. variants, (name, 0, rates, null)];
            changes.Add(new JsonObject { ["simulation"] = new JsonObject { ["latency"] = latency } });
        }

        var spec = new ExperimentSpec
        {
            Id = "sample",
            Name = "<script>alert(1)</script> & | \"x\"",
            Notes = ["Figures from <b>somewhere</b>."],
            Base = new JsonObject
            {
                ["documents"] = 20_000, ["workers"] = 1, ["container"] = new JsonObject { ["throughput"] = 1_000_000 },
            },
            Variants = [.. variants.Select((variant, i) => new VariantSpec
            {
                Name = variant.Name, Change = changes[i],
                Published = variant.Published is { } rate ? new PublishedFigures { PerSecond = rate } : null,
            })],
            Repeats = variants.Max(variant => Math.Max(1, variant.Rates.Length)),
            Scale = scale,
            Findings = findings ?? [],
        };
        var ends = new List<MeasuredRun>();
        var digests = new List<RunDigest>();
        foreach (var run in new GridPlanner(spec).All)
        {
            var (name, _, rates, _) = variants[run.Variant];
            var end = new MeasuredRun
            {
                Variant = run.Variant, Repeat = run.Repeat, RunId = run.Spec.Id!, State = rates.Length == 0 ? null : RunState.Complete,
                Reason = rates.Length == 0 ? "it needs more cores" : null,
            };
            ends.Add(end);
            if (rates.Length == 0)
            {
                digests.Add(RunDigest.From(end, report: null));
                continue;
            }

            var sample = new RunSample { Seconds = 30, Simulated = simulated, Spec = run.Spec with { Documents = 20_000 } };
            var digest = RunDigest.From(end, sample.Build());
            var bound = name == boundByClient ? BoundBy.Client : BoundBy.Latency;
            var measured = digest.Figures! with { Rate = rates[run.Repeat - 1], BoundBy = bound, MachineShare = 0.3 };
            digests.Add(digest with { Figures = figures?.Invoke(name, run.Repeat, measured) ?? measured });
        }

        return ExperimentReportBuilder.Build(
            new ExperimentEnding { Spec = spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(5), Runs = ends },
            digests);
    }
}
