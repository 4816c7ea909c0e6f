namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>One form of a report in the run store.</summary>
public sealed record ReportFileForm(string FileName, string MediaType)
{
    private const string Whole = "report.";

    /// <summary>Its name for callers: <c>html</c> for <c>report.html</c>, or a part's name such as <c>findings</c>.</summary>
    public string Name => FileName.StartsWith(Whole, StringComparison.Ordinal) ? FileName[Whole.Length..] : FileName.Split('.')[0];

    /// <summary>The part after the id in the name of a downloaded file.</summary>
    public string Suffix => FileName.StartsWith(Whole, StringComparison.Ordinal) ? FileName[Whole.Length..] : FileName;
}

/// <summary>Rows of a report for spreadsheets.</summary>
internal sealed record CsvFile<TReport>(string FileName, Func<TReport, byte[]> Write);

/// <summary>
/// The files that a kind of report is written as: its page, its rows and its JSON. The JSON has the three fields of a
/// <see cref="StoredItem"/>, then the fields of the report's record, so that the report can be read back.
/// </summary>
public sealed class ReportKind<TReport>
    where TReport : class
{
    private const string MarkdownName = "report.md";
    private const string HtmlName = "report.html";

    private readonly Func<TReport, string> _id;
    private readonly Func<TReport, ReportPage> _page;
    private readonly IReadOnlyList<CsvFile<TReport>> _csv;

    internal ReportKind(Func<TReport, string> id, Func<TReport, ReportPage> page, IReadOnlyList<CsvFile<TReport>> csv)
    {
        (_id, _page, _csv) = (id, page, csv);
        Forms =
        [
            new(JobFiles.ReportName, "application/json"),
            .. csv.Select(file => new ReportFileForm(file.FileName, "text/csv")),
            new(MarkdownName, "text/markdown"),
            new(HtmlName, "text/html"),
        ];
    }

    /// <summary>All forms. JSON comes first, because the others can be made from it again.</summary>
    public IReadOnlyList<ReportFileForm> Forms { get; }

    /// <summary>What the report shows to people.</summary>
    public ReportPage PageOf(TReport report) => _page(report);

    /// <summary>One of the forms, in UTF-8.</summary>
    public byte[] Write(TReport report, string fileName = JobFiles.ReportName) => fileName switch
    {
        JobFiles.ReportName => StoredItem.Write(ItemOf(_id(report)), report, ScaleOutJson.Indented),
        MarkdownName => Encoding.UTF8.GetBytes(_page(report).ToMarkdown()),
        HtmlName => Encoding.UTF8.GetBytes(_page(report).ToHtml([.. _csv.Select(file => file.FileName), JobFiles.ReportName])),
        _ => _csv.Single(file => file.FileName == fileName).Write(report),
    };

    /// <summary>Keeps a report in the run store in all forms, with their checksums.</summary>
    public Task SaveAsync(IRunStore store, TReport report, CancellationToken cancellationToken) =>
        new JobFiles(store, _id(report)).WriteReportAsync(
            Forms.Select(form => (form.FileName, (Func<byte[]>)(() => Write(report, form.FileName)))), cancellationToken);

    /// <summary>Reads <c>report.json</c>.</summary>
    /// <param name="id">Id that the report must have; null for any.</param>
    /// <exception cref="EvidenceException">The item is no report, or was changed after it was written.</exception>
    public TReport Read(ReadOnlyMemory<byte> json, string? id = null) =>
        StoredItem.Read<TReport>(id is null ? null : ItemOf(id), json, ScaleOutJson.Indented);

    /// <summary>The report in the run store; null when there is none yet.</summary>
    /// <exception cref="EvidenceException">The report was changed after it was written.</exception>
    public async Task<TReport?> ReadAsync(IRunStore store, string id, CancellationToken cancellationToken) =>
        await new JobFiles(store, id).ReadReportAsync(JobFiles.ReportName, cancellationToken) is { } json ? Read(json, id) : null;

    private static string ItemOf(string id) => $"{id}/{JobFiles.ReportName}";
}
