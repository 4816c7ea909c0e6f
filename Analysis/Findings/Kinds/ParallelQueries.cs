using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class ParallelQueries : GainTest
{
    public override FindingKind Kind => FindingKind.ParallelQuery;

    public override bool DependsOnLayout => true;

    public override bool ComparesRates => false;

    public override bool IsAboutLatency => true;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("serial cross-partition queries", "parallel ones");

    protected override string EffectOf => "mean latency, serial / parallel";

    protected override bool LessIsBetter => true;

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Cross-partition queries that ask the partitions in parallel complete sooner", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Workload.Query is { PartitionKey: null }) && !IsParallel(variants[0]) && IsParallel(variants[1])
            ? null
            : "both variants must run a query over all partitions, the first with a maxConcurrency of at most 1, the second with more or "
                + "-1";

    protected override double? FigureOf(RunFigures figures) => figures.MeanLatencyMs;

    protected override bool Hides(BoundBy cap) => false;

    protected override string Statement(string ratio) => $"Serial cross-partition queries took {ratio} times as long as parallel ones";

    protected override RunSpec WithoutAspect(RunSpec spec) => spec.Workload.Query is { } query
        ? spec with { Workload = spec.Workload with { Query = query with { MaxConcurrency = null } } }
        : spec;

    private static bool IsParallel(RunSpec spec) => spec.Workload.Query?.MaxConcurrency is < 0 or > 1;
}
