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

    /// <summary>The claim of a kind as a sentence.</summary>
    public static string ClaimOf(FindingKind kind) => TestOf(kind).ClaimFor(new FindingSpec { Kind = kind });

    /// <summary>The kind's name in specs and reports, such as <c>directBeatsGateway</c>.</summary>
    public static string NameOf(FindingKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());

    internal static FindingTest TestOf(FindingKind kind) =>
        Tests.TryGetValue(kind, out var test) ? test : throw new ArgumentOutOfRangeException(nameof(kind), kind, "no such kind of finding");
}

/// <summary>Name, claim, variants and prediction of a kind of finding, as docs/findings.md lists them.</summary>
/// <param name="Name">Its name in specs and reports.</param>
/// <param name="Claim">As a sentence, with the default threshold.</param>
/// <param name="Variants">How many variants test it, and what each is.</param>
/// <param name="PredictedFrom">The parameters of the simulated account that predict its effect.</param>
internal sealed record FindingDescription(FindingKind Kind, string Name, string Claim, string Variants, string PredictedFrom)
{
    /// <summary>Every kind, in the order of <see cref="FindingKind"/>.</summary>
    public static IReadOnlyList<FindingDescription> All { get; } = [.. Enum.GetValues<FindingKind>().Select(From)];

    private static FindingDescription From(FindingKind kind)
    {
        var test = FindingCatalog.TestOf(kind);
        return new(kind, FindingCatalog.NameOf(kind), FindingCatalog.ClaimOf(kind), test.Roles.Text, test.PredictedFrom);
    }
}
