namespace ScaleOut.Findings.Testing;

/// <summary>How many variants a claim compares, and what each is.</summary>
/// <param name="Text">In words, such as <c>Gateway, then Direct</c>.</param>
/// <param name="Fewest">At least so many.</param>
/// <param name="Most">At most so many.</param>
internal sealed record FindingRoles(string Text, int Fewest, int Most)
{
    /// <summary>Two variants.</summary>
    public static FindingRoles Pair(string baseline, string changed) => new($"two variants: {baseline}, then {changed}", 2, 2);

    /// <summary>Variants that ascend in something.</summary>
    public static FindingRoles Ladder(int fewest, string ascending) => new($"{fewest} or more variants by ascending {ascending}", fewest, FindingRules.MostVariants);

    public override string ToString() => Text;
}
