namespace ScaleOut.Templates;

/// <summary>A literal text or a placeholder of a template.</summary>
public sealed record TemplatePart
{
    public required PlaceholderKind Kind { get; init; }

    /// <summary>Tells the placeholders of a template apart: those at different places have different random values.</summary>
    public int Place { get; init; }

    /// <summary>Of a literal: its text; of a field: its name.</summary>
    public string Text { get; init; } = "";

    /// <summary>Of a range: its lower end.</summary>
    public long Minimum { get; init; }

    /// <summary>Of a range: its upper end; of a random text: its length.</summary>
    public long Maximum { get; init; }

    /// <summary>Of a pick: what is picked from.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Whether a JSON string that is this placeholder alone becomes a number or a truth value.</summary>
    public bool IsScalar => Kind is PlaceholderKind.Number or PlaceholderKind.RandomInt or PlaceholderKind.RandomNumber or PlaceholderKind.RandomBool;

    /// <summary>Whether no two documents of a run have the same value here.</summary>
    public bool IsUnique => Kind is PlaceholderKind.Number or PlaceholderKind.Unique or PlaceholderKind.Id;

    public static TemplatePart Literal(string text) => new() { Kind = PlaceholderKind.Literal, Text = text };
}
