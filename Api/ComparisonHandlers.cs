using ScaleOut.Analysis.Comparisons;

namespace ScaleOut.Api;

/// <summary>The HTTP handler of comparisons, the same for every server.</summary>
public sealed class ComparisonHandlers(IRunStore store)
{
    /// <summary>GET compare?a=&amp;b=: compares two runs or two experiments that have a report.</summary>
    public async Task<IResult> CompareAsync(HttpContext context)
    {
        var (a, problemOfA) = await ReadAsync(context, "a");
        var (b, problemOfB) = await ReadAsync(context, "b");
        if (a is null || b is null)
            return Problems.InvalidParameters(context, [.. new[] { problemOfA, problemOfB }.OfType<ValidationError>()]);
        return ReportFile.Compare(a, b) is { } comparison
            ? Accepted.Status(context, comparison, ended: true)
            : Problems.InvalidParameter(context, "b", "one is a run, the other an experiment; give two of one kind");
    }

    private async Task<(ReportFile? Report, ValidationError? Error)> ReadAsync(HttpContext context, string parameter)
    {
        var id = context.Request.Query[parameter].FirstOrDefault() ?? "";
        if (!TextForm.RunId.Fits(id)
            || await new JobFiles(store, id).ReadReportAsync(JobFiles.ReportName, context.RequestAborted) is not { } json)
            return (null, new ValidationError(parameter, $"{ErrorText.Quote(id)} names no run and no experiment that has a report"));
        try
        {
            return (ReportFile.Read(json), null);
        }
        catch (JsonException)
        {
            // The response says what is wrong with the report.
            return (null, new ValidationError(parameter, $"the report of {ErrorText.Quote(id)} has no figures that can be compared"));
        }
    }
}
