namespace ScaleOut.Findings;

/// <summary>A claim to test, as it stands in an experiment's plan.</summary>
public sealed record FindingSpec
{
    /// <summary>Name of its own within the experiment. Null means the kind's name, such as <c>directBeatsGateway</c>.</summary>
    public string? Id { get; init; }

    public required FindingKind Kind { get; init; }

    /// <summary>
    /// Names of the variants that test it, the baseline first, in the order that <see cref="FindingKind"/> gives; ladders ascend.
    /// Empty only for what cannot be tested.
    /// </summary>
    public IReadOnlyList<string> Variants { get; init; } = [];

    /// <summary>
    /// For claims of a gain the factor that must be exceeded, 1 to 1,000, default 1; for claims that something hardly matters, or is the same, the largest factor
    /// that counts as the same, above 1 to 2, default 1.0526.
    /// </summary>
    public double? Threshold { get; init; }

    /// <summary>Null when nothing was published.</summary>
    public PublishedValue? Published { get; init; }
}
