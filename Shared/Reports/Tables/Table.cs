namespace ScaleOut.Reports.Tables;

/// <summary>Figures in rows, for every form of the report that people read.</summary>
/// <param name="Title">What the table shows.</param>
/// <param name="Columns">The first holds the rows' names, the others numbers or short texts.</param>
/// <param name="Rows">As many cells each as there are columns.</param>
/// <param name="Note">What must be known to read it; null when nothing.</param>
public sealed record Table(string Title, IReadOnlyList<Column> Columns, IReadOnlyList<IReadOnlyList<string>> Rows, string? Note = null);
