namespace ScaleOut.Templates;

/// <summary>How unevenly a template spreads documents over the values of a text.</summary>
internal static class KeyShare
{
    /// <summary>Expected share of the documents that have the most frequent value, 0 to 1; 0 if all values differ.</summary>
    /// <param name="parts">The parts of the text.</param>
    public static double LargestOf(IReadOnlyList<TemplatePart> parts) => parts.Aggregate(1.0, (share, part) => share * LargestOf(part));

    private static double LargestOf(TemplatePart part) => part.Kind switch
    {
        PlaceholderKind.Literal => 1,
        PlaceholderKind.Pick =>
            part.Choices.Zip(part.Weights).GroupBy(choice => choice.First, StringComparer.Ordinal)
                .Max(same => same.Sum(choice => choice.Second)) / part.Weights.Sum(),
        PlaceholderKind.RandomInt => 1 / (part.Maximum - part.Minimum + 1.0),
        PlaceholderKind.RandomNumber => 1 / ((1_000.0 * (part.Maximum - part.Minimum)) + 1),
        PlaceholderKind.RandomBool => 0.5,
        PlaceholderKind.RandomText => Math.Pow(TextTemplate.RandomCharacters.Length, -part.Maximum),
        PlaceholderKind.Skewed =>
            1 / Enumerable.Range(1, (int)(part.Maximum - part.Minimum + 1)).Sum(rank => Math.Pow(rank, -part.Exponent)),
        _ => 0,
    };
}
