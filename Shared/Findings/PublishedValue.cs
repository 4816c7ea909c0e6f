namespace ScaleOut.Findings;

/// <summary>What somebody else measured, beside which a finding's own effect is shown. It never enters a verdict.</summary>
public sealed record PublishedValue
{
    /// <summary>The same ratio as the finding's effect, above 0.</summary>
    public required double Value { get; init; }

    /// <summary>Where it stands, such as <c>insert-1m.csv, tests 1 and 2</c>.</summary>
    public required string Source { get; init; }
}
