using System.Text.Json.Serialization;

namespace ScaleOut.Comparisons;

/// <summary>What differs between two runs, or between two experiments.</summary>
public sealed record ComparisonReport
{
    /// <summary>Id of the first report.</summary>
    public required string A { get; init; }

    /// <summary>Id of the second report.</summary>
    public required string B { get; init; }

    /// <summary>Whether any of the figures come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    public IReadOnlyList<ComparisonRow> Rows { get; init; } = [];

    /// <summary>Settings in which the two differ, such as <c>client.concurrency: 10, 20</c>.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    /// <summary>What a reader must know before trusting the verdicts.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Rows with an interval.</summary>
    [JsonIgnore]
    public int Decided => Rows.Count(row => row.Verdict != ComparisonVerdict.NotKnown);
}
