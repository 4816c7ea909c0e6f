namespace ScaleOut.Analysis.Comparisons;

/// <summary>Compares two experiments, variant by variant of the same name, over their repeats with Welch's t on the logarithms.</summary>
internal static class ExperimentComparison
{
    private const int ShownSettings = 3;

    /// <summary>Compares the second experiment with the first one.</summary>
    public static ComparisonReport From(ExperimentReport a, ExperimentReport b)
    {
        var pairs = a.Variants.Join(
            b.Variants, variant => variant.Name, variant => variant.Name, (before, after) => (before, after),
            StringComparer.Ordinal).ToList();
        var rows = pairs.SelectMany(pair => Rows(pair.before, pair.after)).ToList();
        return new ComparisonReport
        {
            A = a.Id,
            B = b.Id,
            Simulated = a.Simulated || b.Simulated,
            Invalid =
            [
                .. InvalidParts.WithOwner(ExperimentWarnings.InvalidFiguresOf(a), a.Id),
                .. InvalidParts.WithOwner(ExperimentWarnings.InvalidFiguresOf(b), b.Id),
            ],
            Rows = rows,
            Settings = [.. pairs.SelectMany(pair => Settings(pair.before, pair.after))],
            Findings =
            [
                .. a.Findings.Join(b.Findings, finding => finding.Id, finding => finding.Id, Verdicts, StringComparer.Ordinal),
            ],
            Notes = [.. Notes(a, b, rows)],
        };
    }

    /// <summary>Such as <c>bulk: supported, emergent in both</c>.</summary>
    private static string Verdicts(FindingResult before, FindingResult after)
    {
        var (first, second) = (FindingText.Label(before), FindingText.Label(after));
        return first == second ? $"{before.Id}: {first} in both" : $"{before.Id}: {first} in the first, {second} in the second";
    }

    private static IEnumerable<ComparisonRow> Rows(VariantReport before, VariantReport after)
    {
        if (before.Rate is null || after.Rate is null)
        {
            yield return ComparisonRow.From(
                $"{before.Name}: per second", before.Rate?.Value, after.Rate?.Value, null,
                before.NotMeasured ?? after.NotMeasured ?? "not measured");
            yield break;
        }

        yield return Row($"{before.Name}: per second", before, after, figures => figures.Rate);
        yield return Row($"{before.Name}: latency mean, ms", before, after, figures => figures.MeanLatencyMs);
        yield return Row($"{before.Name}: RU per operation", before, after, figures => figures.RequestUnitsPerOperation);
        if (before.CallsPerOperation is not null && after.CallsPerOperation is not null)
            yield return Row($"{before.Name}: calls per operation", before, after, figures => figures.CallsPerOperation);
    }

    private static ComparisonRow Row(string figure, VariantReport before, VariantReport after, Func<RunFigures, double?> value)
    {
        var (first, second) = (Values(before, value), Values(after, value));
        var nothing = before.NothingCounts ?? after.NothingCounts;
        var basis = $"{first.Count} and {second.Count} repeats";
        return ComparisonRow.From(
            figure,
            Estimate.From(first.Select(one => (double?)one))?.Value,
            Estimate.From(second.Select(one => (double?)one))?.Value,
            nothing is null ? RatioEffect.From(second, first) : null,
            nothing ?? (first.Count < 2 || second.Count < 2 ? $"{basis}: an interval needs two of each" : basis));
    }

    private static List<double> Values(VariantReport variant, Func<RunFigures, double?> value) =>
        [.. variant.Counted.Select(run => value(run.Figures!)).Where(one => one is > 0).Select(one => one!.Value)];

    private static IEnumerable<string> Settings(VariantReport before, VariantReport after)
    {
        var differences = SettingDifferences.From(before.Plan.Unnamed(), after.Plan.Unnamed());
        return differences.Take(ShownSettings).Select(difference => $"{before.Name}: {difference}")
            .Concat(
                differences.Count > ShownSettings
                    ? [$"{before.Name}: {Words.Amount(differences.Count - ShownSettings, "more setting")}"]
                    : []);
    }

    private static IEnumerable<string> Notes(ExperimentReport a, ExperimentReport b, List<ComparisonRow> rows)
    {
        var decided = rows.Count(row => row.Verdict != ComparisonVerdict.NotKnown);
        if (decided > 1)
            yield return $"Of {decided} comparisons about {decided * 0.05:0.#} differ by chance alone.";
        if (a.Scale != b.Scale)
            yield return $"The experiments are scaled differently, {a.Scale:0.######} and {b.Scale:0.######}.";
        foreach (var (one, other) in new[] { (a, b), (b, a) })
        {
            var only = one.Variants.Select(variant => variant.Name).Except(other.Variants.Select(variant => variant.Name)).ToList();
            if (only.Count > 0)
                yield return $"Only in {one.Id}: {string.Join(", ", only)}.";
        }

        if (a.Simulated != b.Simulated)
            yield return "Only one of the two ran against the simulated account.";
    }
}
