namespace ScaleOut.Specs;

/// <summary>Which documents a run puts.</summary>
public sealed record DocumentSpec
{
    /// <summary>Default <see cref="DocumentKind.PerfTest"/>.</summary>
    public DocumentKind Kind { get; init; } = DocumentKind.PerfTest;
}
