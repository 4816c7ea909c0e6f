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

/// <summary>Checks that the claims of an experiment fit the variants that test them.</summary>
internal static class FindingRules
{
    /// <summary>All errors of an experiment's claims, including ids that are used twice.</summary>
    /// <param name="variants">The effective spec of each variant by its name.</param>
    public static IReadOnlyList<ValidationError> Check(
        IReadOnlyList<FindingSpec> findings, IReadOnlyDictionary<string, RunSpec> variants, string path = "findings")
    {
        var errors = new List<ValidationError>();
        var ids = new HashSet<string>(StringComparer.Ordinal);
        for (var i = 0; i < findings.Count; i++)
        {
            var at = SpecPath.Item(path, i);
            var id = findings[i].Id ?? FindingCatalog.NameOf(findings[i].Kind);
            if (!ids.Add(id))
                errors.Add(
                    new ValidationError(
                        SpecPath.Field(at, "id"), $"'{id}' is the id of another finding; findings of one kind need ids of their own",
                        BeyondSchema: true));
            errors.AddRange(Check(findings[i], variants, at));
        }

        return errors;
    }

    /// <summary>All errors of one claim.</summary>
    public static IReadOnlyList<ValidationError> Check(FindingSpec finding, IReadOnlyDictionary<string, RunSpec> variants, string path)
    {
        var test = FindingCatalog.TestOf(finding.Kind);
        var errors = new List<ValidationError>();
        var list = SpecPath.Field(path, "variants");
        void Add(string at, string message) => errors.Add(new ValidationError(at, message, BeyondSchema: true));

        if (finding.Threshold is { } threshold && test.ThresholdError(threshold) is { } beyond)
            Add(SpecPath.Field(path, "threshold"), beyond);

        if (finding.Variants.Count < test.Roles.Min || finding.Variants.Count > test.Roles.Max)
            Add(
                list,
                $"has {finding.Variants.Count} items; {FindingCatalog.NameOf(finding.Kind)} "
                    + $"{(test.Roles.Max == 1 ? "takes" : "compares")} {test.Roles}");
        for (var i = 0; i < finding.Variants.Count; i++)
        {
            if (!variants.ContainsKey(finding.Variants[i]))
                Add(
                    SpecPath.Item(list, i),
                    $"no variant has the name '{finding.Variants[i]}'"
                        + (NearestName.From(finding.Variants[i], variants.Keys) is { } near ? $"; did you mean '{near}'?" : ""));
            else if (finding.Variants.Take(i).Contains(finding.Variants[i], StringComparer.Ordinal))
                Add(SpecPath.Item(list, i), $"'{finding.Variants[i]}' is listed twice");
        }

        if (errors.Count == 0 && test.Misfit([.. finding.Variants.Select(name => variants[name])]) is { } misfit)
            Add(list, misfit);
        return errors;
    }
}
