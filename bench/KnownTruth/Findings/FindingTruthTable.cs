namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>Measures how often the verdict on each kind of finding is wrong if the truth lies on the edge of the claim.</summary>
public static class FindingTruthTable
{
    /// <summary>Prints the table: a row for each truth, a column for each noise.</summary>
    /// <param name="experiments">Number of experiments for each truth and kind of noise.</param>
    /// <param name="name">Part of the names of the truths to measure. Empty for all.</param>
    /// <returns>Whether each share is at most 5%, except where the verdict's text says that more can be wrong.</returns>
    public static bool Run(int experiments, int repeats, string name)
    {
        var kinds = Enum.GetValues<NoiseKind>();
        Console.WriteLine($"| wrong of {experiments} experiments, {repeats} repeats | verdict | {string.Join(" | ", kinds)} |");
        Console.WriteLine($"| --- | --- |{string.Concat(kinds.Select(_ => " ---: |"))}");
        var most = FindingTruth.MaxShareOf(experiments);
        var isKept = true;
        foreach (var truth in FindingTruths.All.Where(truth => truth.Name.Contains(name, StringComparison.Ordinal)))
        {
            var shares = kinds.Select(kind => (Kind: kind, Share: truth.WrongShare(kind, repeats, experiments))).ToList();
            isKept &= shares.TrueForAll(one => one.Share <= most || truth.IsExcluded(one.Kind));
            var cells = shares.Select(one => string.Create(
                CultureInfo.InvariantCulture,
                $"{one.Share:0.0%}{(one.Share <= most ? "" : truth.IsExcluded(one.Kind) ? " (said)" : " **too often**")}"));
            Console.WriteLine($"| {truth.Name} | {truth.Wrong} | {string.Join(" | ", cells)} |");
        }

        if (name.Length > 0)
            return isKept;
        Console.WriteLine($"\n| {experiments} questions, looked at with 3, 5 and 8 repeats until decided | wrong |\n| --- | ---: |");
        foreach (var (text, counts) in (ReadOnlySpan<(string, int[])>)[
            ("as if each look were the only one", [1, 1, 1]), ("looks 3 from the first on", [3, 3, 3]),
            ("as the sentence says: looks 1, then 2, then 3", [1, 2, 3])])
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {text} | {Followed.WrongShare(counts, experiments):0.0%} |"));
        return isKept;
    }
}
