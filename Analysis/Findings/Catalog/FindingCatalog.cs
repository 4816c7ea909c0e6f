using ScaleOut.Analysis.Findings.Kinds;

namespace ScaleOut.Analysis.Findings.Catalog;

/// <summary>
/// The tests of all kinds of findings. A new kind needs a name in <see cref="FindingKind"/> and a row of <see cref="PairClaims"/>,
/// <see cref="TableClaims"/> or <see cref="LimitClaims"/>. A kind with arithmetic of its own has a class in <c>Kinds</c> and a line here.
/// </summary>
internal static class FindingCatalog
{
    private static readonly Dictionary<FindingKind, FindingTest> Tests = new FindingTest[]
    {
        new ConcurrencyPeak(),
        new FallsAfterPeak(),
        new FittingPartitionKey(),
        new MoreRequestUnits(),
        new QueryCostGrows(),
        new ScalabilityLawFinding(),
        new SingleUnitPredictsFleet(),
    }.Concat(PairClaims.All).Concat(TableClaims.All).Concat(LimitClaims.All).ToDictionary(test => test.Kind);

    /// <summary>The kind's name in specs and reports, such as <c>directBeatsGateway</c>.</summary>
    public static string NameOf(FindingKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());

    internal static FindingTest TestOf(FindingKind kind) =>
        Tests.TryGetValue(kind, out var test) ? test : throw new ArgumentOutOfRangeException(nameof(kind), kind, "no such kind of finding");
}
