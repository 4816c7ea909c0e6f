namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>How a page shows that figures are not valid.</summary>
internal static class InvalidParts
{
    /// <summary>The state of what was measured, and which figures are not valid.</summary>
    /// <param name="style">Style of the state's badge where all figures are valid.</param>
    public static IReadOnlyList<Badge> BadgesOf(string state, string style, IReadOnlyList<InvalidFigures> invalid) => invalid.Count == 0
        ? [new(state, style)]
        : [new(state, style == "good" ? "fair" : style), new(TitleOf(invalid), "bad")];

    /// <summary>The reasons, for the top of a page; nothing where all figures are valid.</summary>
    public static IEnumerable<ReportPart> From(IReadOnlyList<InvalidFigures> invalid)
    {
        if (invalid.Count > 0)
            yield return ReportPart.Warnings([.. invalid.Select(one => one.Why)], TitleOf(invalid), serious: true);
    }

    private static string TitleOf(IReadOnlyList<InvalidFigures> invalid) =>
        $"Not valid: {string.Join(", ", invalid.Select(one => one.What).Distinct())}";
}
