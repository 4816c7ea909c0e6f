using System.Text.Json;
using ScaleOut.Analysis.Findings.Kinds;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;

namespace ScaleOut.Analysis.Findings.Catalog;

/// <summary>
/// The tests by kind of finding: a new kind is a class in <c>Kinds</c>, a name in <see cref="FindingKind"/>, and a line here.
/// </summary>
public static class FindingCatalog
{
    private static readonly Dictionary<FindingKind, FindingTest> Tests = new FindingTest[]
    {
        new DirectBeatsGateway(),
        new ConcurrencyPeak(),
        new InstancesLikeCores(),
        new SingleUnitPredictsFleet(),
        new MoreCores(),
        new IndexingModeNegligible(),
        new ClientConsistencyNegligible(),
        new MaxConnectionsNegligible(),
        new MoreRequestUnits(),
        new Batching(),
        new Bulk(),
        new ParallelQueries(),
        new FittingPartitionKey(),
        new ScalabilityLawFinding(),
        new LowLatencyNetwork(),
        new IndexingThrottles(),
        new LatencyUnder(),
        new DeletesLikeWrites(),
        new FallsAfterPeak(),
        new ExcludedPaths(),
        new TableStorage(),
    }.ToDictionary(test => test.Kind);

    /// <summary>The claim of a kind as a sentence.</summary>
    public static string ClaimOf(FindingKind kind) => TestOf(kind).ClaimFor(new FindingSpec { Kind = kind });

    /// <summary>The kind's name in specs and reports, such as <c>directBeatsGateway</c>.</summary>
    public static string NameOf(FindingKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());

    internal static FindingTest TestOf(FindingKind kind) =>
        Tests.TryGetValue(kind, out var test) ? test : throw new ArgumentOutOfRangeException(nameof(kind), kind, "no such kind of finding");
}
