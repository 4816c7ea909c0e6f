using System.Collections.Concurrent;
using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Prediction;

/// <summary>
/// An experiment in virtual time: each of its runs that counts is simulated from its own report and with its own seed, under the physics of
/// the experiment or of a draw. The same reports give the same figures.
/// </summary>
internal sealed class VirtualExperiment
{
    private readonly ExperimentReport _own;
    private readonly IReadOnlyDictionary<string, VirtualRun> _runs;

    private VirtualExperiment(
        ExperimentReport own, IReadOnlyDictionary<string, VirtualRun> runs, IReadOnlyDictionary<string, string> notSimulated) =>
        (_own, _runs, NotSimulated) = (own, runs, notSimulated);

    /// <summary>Why variants cannot be simulated, by their names.</summary>
    public IReadOnlyDictionary<string, string> NotSimulated { get; }

    /// <summary>Prepares the runs of a measured experiment.</summary>
    /// <param name="own">Its report.</param>
    /// <param name="reportOf">The report of a run by its id; null where there is none.</param>
    public static VirtualExperiment From(ExperimentReport own, Func<string, RunReport?> reportOf)
    {
        var opened = own.Variants.SelectMany(variant => variant.Counted.Select(run => (Variant: variant, run.RunId)))
            .AsParallel().AsOrdered()
            .Select(one => (one.Variant.Name, one.RunId, Run: Open(one.Variant, one.RunId, reportOf, out var reason), Reason: reason))
            .ToList();
        return new VirtualExperiment(
            own,
            opened.Where(one => one.Run is not null).ToDictionary(one => one.RunId, one => one.Run!),
            opened.Where(one => one.Reason is not null).DistinctBy(one => one.Name).ToDictionary(one => one.Name, one => one.Reason!));
    }

    /// <summary>Reads the reports from the runs' store.</summary>
    public static VirtualExperiment From(ExperimentReport own, IRunStore store) =>
        From(own, runId => ReportSaver.ReadAsync(store, runId, CancellationToken.None).GetAwaiter().GetResult());

    /// <summary>Simulates the experiment under each of some specs, which differ from its own in the physics alone.</summary>
    /// <returns>For each of them every variant that can be simulated, in the order of the experiment.</returns>
    public IReadOnlyList<IReadOnlyList<VariantResult>> Simulate(IReadOnlyList<ExperimentSpec> specs)
    {
        var plans = specs.Select(spec => spec.Variants.Select((_, variant) => ExperimentRuns.PlanOf(spec, variant)).ToList()).ToList();
        var work = Enumerable.Range(0, specs.Count)
            .SelectMany(pass => _own.Variants.SelectMany((variant, i) => variant.Counted.Select(run => (pass, i, run.RunId))))
            .Where(one => _runs.ContainsKey(one.RunId));
        var figures = new ConcurrentDictionary<(int Pass, string RunId), RunFigures>();
        Parallel.ForEach(
            work, one => figures[(one.pass, one.RunId)] = _runs[one.RunId].Simulate(plans[one.pass][one.i]));
        var simulated = _own.Variants.Index().Where(one => !NotSimulated.ContainsKey(one.Item.Name)).ToList();
        return
        [
            .. plans.Select((runs, pass) => (IReadOnlyList<VariantResult>)
            [
                .. simulated.Select(one => (one.Index, Result: one.Item.ToResult())).Select(one => one.Result with
                {
                    Spec = runs[one.Index],
                    Repeats = [.. one.Result.Repeats.Select(run => figures.GetValueOrDefault((pass, run.RunId), run))],
                }),
            ]),
        ];
    }

    private static VirtualRun? Open(VariantReport variant, string runId, Func<string, RunReport?> reportOf, out string? reason)
    {
        reason = VirtualRun.WhyNot(variant.Plan);
        if (reason is not null)
            return null;
        if (reportOf(runId) is not { } report)
        {
            reason = $"the report of its run {runId} is missing";
            return null;
        }

        if (!report.Simulated)
        {
            reason = "it did not go to the simulated account";
            return null;
        }

        try
        {
            return new VirtualRun(report);
        }
        catch (InputException e)
        {
            reason = e.Message.TrimEnd('.');
            return null;
        }
    }
}
