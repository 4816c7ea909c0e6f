namespace ScaleOut.Experiments.Reporting;

/// <summary>Published figures beside measured ones. What matters is the order: the machines, networks and years differ.</summary>
public sealed record PublishedComparison
{
    /// <summary>Spearman's rank correlation of published and measured rates, -1 to 1; null with fewer than two rates of both kinds.</summary>
    public double? Spearman { get; init; }

    /// <summary>Variants that <see cref="Spearman"/> rests on.</summary>
    public required int Compared { get; init; }

    /// <summary>Every variant with published figures.</summary>
    public IReadOnlyList<PublishedRow> Rows { get; init; } = [];

    /// <summary>Every pair of variants with published rates.</summary>
    public IReadOnlyList<PublishedPair> Pairs { get; init; } = [];

    /// <summary>Pairs with a verdict.</summary>
    public int CountOf(PairVerdict verdict) => Pairs.Count(pair => pair.Verdict == verdict);
}
