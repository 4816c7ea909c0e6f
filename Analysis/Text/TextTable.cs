namespace ScaleOut.Analysis.Text;

/// <summary>Figures in rows, for every form that people read. <see cref="Columns{TRow}"/> makes it.</summary>
/// <param name="Columns">The first holds the rows' names.</param>
/// <param name="Rows">Each has one cell per column.</param>
/// <param name="Note">What a reader must know to understand the table. Optional.</param>
/// <param name="OnConsole">Whether the console shows it; pages show all tables.</param>
public sealed record TextTable(
    string Title, IReadOnlyList<Column> Columns, IReadOnlyList<IReadOnlyList<string>> Rows, string? Note = null, bool OnConsole = true)
{
    /// <summary>Whether a page shows only its title until a reader opens it.</summary>
    public bool IsFolded { get; init; }

    /// <summary>A table of names and values, which a page folds.</summary>
    /// <param name="name">Title of the first column.</param>
    /// <param name="value">Title of the second column.</param>
    /// <param name="rows">A row without a value is left out.</param>
    public static TextTable OfValues(
        string title, string name, string value, IEnumerable<(string Name, string? Value)> rows, string? note = null,
        bool areNumbers = false)
    {
        var columns = new Columns<(string Name, string? Value)>().Text(name, row => row.Name);
        columns = areNumbers ? columns.Figure(value, row => row.Value!) : columns.Text(value, row => row.Value);
        return columns.Table(title, rows.Where(row => row.Value is not null), note) with { IsFolded = true };
    }
}

/// <param name="IsNumber">Whether it is aligned to the right.</param>
/// <param name="OnConsole">Whether the console shows it; pages show all columns.</param>
public sealed record Column(string Title, bool IsNumber, bool OnConsole);

/// <summary>
/// The columns of a table, each declared once: its title, its unit, what it shows of a row, and whether the console shows it.
/// A column that is declared with <c>when: false</c> is left out.
/// </summary>
public sealed class Columns<TRow>
{
    private readonly List<(Column Column, Func<TRow, string> Cell)> _columns = [];

    /// <summary>Words, aligned to the left.</summary>
    public Columns<TRow> Text(string title, Func<TRow, string?> cell, bool console = true, bool when = true) =>
        Add(new Column(title, IsNumber: false, console), row => cell(row) ?? Numbers.Unknown, when);

    /// <summary>Any figure, such as a range, aligned to the right.</summary>
    public Columns<TRow> Figure(
        string title, Func<TRow, string> cell, string? unit = null, bool console = true, bool when = true) =>
        Add(new Column(unit is null ? title : $"{title}, {unit}", IsNumber: true, console), cell, when);

    /// <summary>A number with three digits.</summary>
    public Columns<TRow> Number(
        string title, Func<TRow, double?> value, string? unit = null, bool console = true, bool when = true) =>
        Figure(title, row => Numbers.Brief(value(row)), unit, console, when);

    /// <summary>A whole number.</summary>
    public Columns<TRow> Count(string title, Func<TRow, long?> value, bool console = true, bool when = true) =>
        Figure(title, row => Numbers.Count(value(row)), unit: null, console, when);

    public Columns<TRow> Share(string title, Func<TRow, double?> value, bool console = true, bool when = true) =>
        Figure(title, row => Numbers.Percent(value(row)), unit: null, console, when);

    public TextTable Table(string title, IEnumerable<TRow> rows, string? note = null, bool console = true) => new(
        title,
        [.. _columns.Select(one => one.Column)],
        [.. rows.Select(row => (IReadOnlyList<string>)[.. _columns.Select(one => one.Cell(row))])],
        note,
        console);

    private Columns<TRow> Add(Column column, Func<TRow, string> cell, bool when)
    {
        if (when)
            _columns.Add((column, cell));
        return this;
    }
}
