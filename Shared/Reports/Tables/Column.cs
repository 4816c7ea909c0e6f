namespace ScaleOut.Reports.Tables;

/// <summary>One column of a <see cref="Table"/>.</summary>
/// <param name="Title">With its unit.</param>
/// <param name="IsNumber">Whether it is aligned to the right.</param>
public sealed record Column(string Title, bool IsNumber = true)
{
    /// <summary>A column of words.</summary>
    public static Column Of(string title) => new(title, IsNumber: false);
}
