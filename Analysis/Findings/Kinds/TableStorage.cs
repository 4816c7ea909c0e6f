using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class TableStorage : FindingTest
{
    public override FindingKind Kind => FindingKind.TableStorage;

    public override FindingRoles Roles { get; } = new("no variants", 0, 0);

    public override string? Untestable => "only Cosmos DB is driven, Table storage is not";

    public override string ClaimFor(FindingSpec finding) =>
        "Table storage takes batches more slowly than Cosmos DB, but never throttles them.";

    public override FindingOutcome Judge(FindingCase given) => FindingOutcome.NotTested(Untestable!);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec;
}
