namespace ScaleOut.Analysis.Findings.Catalog;

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
