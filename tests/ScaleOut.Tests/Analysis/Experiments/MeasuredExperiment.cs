namespace ScaleOut.Tests.Analysis.Experiments;

/// <summary>Experiments as runs would have left them, from figures that a test sets.</summary>
internal static class MeasuredExperiment
{
    /// <summary>
    /// A spec whose variants differ in operations in flight, 10,000 RU/s being far away, with the rates that each repeat measured.
    /// </summary>
    /// <param name="variants">With what each repeat measured, and what was published.</param>
    /// <param name="scale">Of the experiment.</param>
    /// <param name="findings">To test.</param>
    /// <param name="simulated">Whether the runs went to the simulated account.</param>
    /// <param name="boundByClient">The variant whose clients were at their limit.</param>
    /// <param name="more">Variants that differ in latency instead.</param>
    /// <param name="figures">The figures of a variant's repeat, from 1, as they are; as the rates say when left out.</param>
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
                ["documents"] = 20_000,
                ["workers"] = 1,
                ["container"] = new JsonObject { ["throughput"] = 1_000_000 },
            },
            Variants = [.. variants.Select((variant, i) => new VariantSpec
            {
                Name = variant.Name,
                Change = changes[i],
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
            var rates = variants[run.Variant].Rates;
            var end = new MeasuredRun
            {
                Variant = run.Variant,
                Repeat = run.Repeat,
                RunId = run.Spec.Id!,
                State = rates.Length == 0 ? null : RunState.Complete,
                Reason = rates.Length == 0 ? "it needs more cores" : null,
            };
            ends.Add(end);
            var digest = rates.Length == 0
                ? RunDigest.From(end, report: null)
                : Measured(
                    end, Sample(run, simulated), rates[run.Repeat - 1],
                    variants[run.Variant].Name == boundByClient ? BoundBy.Client : BoundBy.Latency);
            digests.Add(
                figures is null || digest.Figures is not { } measured
                    ? digest
                    : digest with { Figures = figures(variants[run.Variant].Name, run.Repeat, measured) });
        }

        return ExperimentReportBuilder.Build(
            new ExperimentEnding { Spec = spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(5), Runs = ends },
            digests);
    }

    private static RunReport Sample(PlannedRun run, bool simulated) =>
        (new RunSample { Seconds = 30, Simulated = simulated, Spec = run.Spec with { Documents = 20_000 } }).Build();

    private static RunDigest Measured(MeasuredRun end, RunReport report, double rate, BoundBy boundBy)
    {
        var digest = RunDigest.From(end, report);
        return digest with { Figures = digest.Figures! with { Rate = rate, BoundBy = boundBy, MachineShare = 0.3 } };
    }
}
