namespace ScaleOut.Analysis.Text;

/// <summary>Figures in rows, for every form of the report that people read.</summary>
/// <param name="Columns">The first holds the rows' names, the others numbers or short texts.</param>
/// <param name="Rows">As many cells each as there are columns.</param>
/// <param name="Note">What must be known to read it; null when nothing.</param>
public sealed record TextTable(string Title, IReadOnlyList<Column> Columns, IReadOnlyList<IReadOnlyList<string>> Rows, string? Note = null);

/// <summary>One column of a <see cref="TextTable"/>.</summary>
/// <param name="IsNumber">Whether it is aligned to the right.</param>
public sealed record Column(string Title, bool IsNumber = true)
{
    /// <summary>A column of words.</summary>
    public static Column From(string title) => new(title, IsNumber: false);
}
