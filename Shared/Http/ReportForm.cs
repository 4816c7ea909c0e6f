namespace ScaleOut.Http;

/// <summary>One form in which a report lies in the run store.</summary>
/// <param name="FileName">Such as <c>report.html</c>.</param>
/// <param name="MediaType">Such as <c>text/html</c>.</param>
internal sealed record ReportForm(string FileName, string MediaType)
{
    /// <summary>As the parameter <c>format</c> calls it.</summary>
    public string Name => Path.GetExtension(FileName)[1..];
}
