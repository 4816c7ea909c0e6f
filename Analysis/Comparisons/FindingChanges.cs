namespace ScaleOut.Analysis.Comparisons;

/// <summary>What became of the findings that two experiments both test.</summary>
internal static class FindingChanges
{
    /// <summary>One line for each, such as <c>bulk: supported, emergent in both</c>, in the first one's order.</summary>
    public static IReadOnlyList<string> From(ExperimentReport a, ExperimentReport b) =>
    [
        .. a.Findings.Join(b.Findings, finding => finding.Id, finding => finding.Id, Line, StringComparer.Ordinal),
    ];

    private static string Line(FindingResult before, FindingResult after)
    {
        var (first, second) = (FindingText.Label(before), FindingText.Label(after));
        return first == second ? $"{before.Id}: {first} in both" : $"{before.Id}: {first} in the first, {second} in the second";
    }
}
