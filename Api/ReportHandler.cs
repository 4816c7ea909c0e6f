namespace ScaleOut.Api;

/// <summary>One form in which a report is in the run store.</summary>
internal sealed record ReportForm(string FileName, string MediaType)
{
    private const string Whole = "report.";

    /// <summary>As the parameter <c>format</c> names it: <c>html</c> for <c>report.html</c>, <c>findings</c> for a part.</summary>
    public string Name => FileName.StartsWith(Whole, StringComparison.Ordinal) ? FileName[Whole.Length..] : FileName.Split('.')[0];

    /// <summary>What a file of it is called behind the id.</summary>
    public string Suffix => FileName.StartsWith(Whole, StringComparison.Ordinal) ? FileName[Whole.Length..] : FileName;
}

/// <summary>Responds with reports: the same for runs and experiments.</summary>
/// <param name="what">A run or an experiment.</param>
internal sealed class ReportHandler(string what, IReadOnlyList<ReportForm> forms)
{
    /// <summary>
    /// A report loads nothing and is shown in no other page, whatever its names hold. Its own policy says by their hashes which of its
    /// scripts run.
    /// </summary>
    private const string Policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'";

    /// <summary>Responds with the form that the request asks for, JSON when it does not say.</summary>
    /// <param name="id">The id in its path.</param>
    /// <param name="readAsync">Reads a file of the report; null when there is none.</param>
    /// <param name="findAsync">Whether it has ended, and why without a report; null when there is no such thing.</param>
    public async Task<IResult> RespondAsync(
        HttpContext context,
        string id,
        Func<string, Task<byte[]?>> readAsync,
        Func<Task<(bool Ended, IReadOnlyList<string> Reasons)?>> findAsync)
    {
        var name = context.Request.Query["format"].FirstOrDefault() ?? "json";
        if (forms.FirstOrDefault(form => form.Name == name) is not { } asked)
            return Problems.InvalidParameter(
                context, "format", $"{ErrorText.Quote(name)} is not one of {string.Join(", ", forms.Select(form => form.Name))}");
        if (!RunIds.Form.Fits(id))
            return Problems.Unknown(context, what);
        if (await readAsync(asked.FileName) is { } content)
        {
            var headers = context.Response.Headers;
            headers.ContentSecurityPolicy = Policy;
            headers.ContentDisposition = $"inline; filename=\"{id}.{asked.Suffix}\"";
            return TypedResults.Bytes(content, $"{asked.MediaType}; charset=utf-8");
        }

        if (await findAsync() is not var (ended, reasons))
            return Problems.Unknown(context, what);
        return ended
            ? Problems.NoReport(context, what, id, reasons.Count > 0 ? string.Join(" ", reasons) : "its program was ended before it.")
            : Problems.NotFinished(context, what, id);
    }
}
