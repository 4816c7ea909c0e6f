using System.Text.Json.Nodes;

namespace ScaleOut.Experiments;

/// <summary>One setting that an experiment measures.</summary>
public sealed record VariantSpec
{
    /// <summary>Unique within the experiment, 1 to 60 characters; findings call it by this name.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// A partial plan that is laid over the experiment's base: objects are merged field by field, everything else replaces what is there, and null takes a field away.
    /// </summary>
    public JsonObject Change { get; init; } = [];

    /// <summary>What was published for these settings; null when nothing was.</summary>
    public PublishedFigures? Published { get; init; }

    /// <summary>Free text shown in the report, at most 1,000 characters.</summary>
    public string? Notes { get; init; }
}
