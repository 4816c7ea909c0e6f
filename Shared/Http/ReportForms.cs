using ScaleOut.Specs.Reading;

namespace ScaleOut.Http;

/// <summary>Reports, as answers: the same for runs and experiments.</summary>
internal static class ReportForms
{
    /// <summary>A report asks for nothing but its own style, runs no script and is shown in no other page, whatever its names hold.</summary>
    private const string Policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// <summary>Answers with the form that the request asks for, JSON when it does not say.</summary>
    /// <param name="call">The request.</param>
    /// <param name="what">A run or an experiment.</param>
    /// <param name="id">Its id, as it came.</param>
    /// <param name="forms">Those there are.</param>
    /// <param name="readAsync">Reads a file of the report; null when there is none.</param>
    /// <param name="findAsync">Whether it has ended, and why without a report; null when there is no such thing.</param>
    public static async Task<HttpAnswer> AnswerAsync(
        HttpCall call, string what, string id, IReadOnlyList<ReportForm> forms, Func<string, Task<byte[]?>> readAsync, Func<Task<(bool Ended, IReadOnlyList<string> Reasons)?>> findAsync)
    {
        var name = call.Query.GetValueOrDefault("format") ?? "json";
        if (forms.FirstOrDefault(form => form.Name == name) is not { } asked)
            return Problems.InvalidParameter(call, "format", $"{FaultText.Quote(name)} is not one of {string.Join(", ", forms.Select(form => form.Name))}");
        if (!ResourceId.IsValid(id))
            return Problems.Unknown(call, what);
        if (await readAsync(asked.FileName) is { } content)
            return Answer(asked, id, content);
        if (await findAsync() is not var (ended, reasons))
            return Problems.Unknown(call, what);
        return ended
            ? Problems.NoReport(call, what, id, reasons.Count > 0 ? string.Join(" ", reasons) : "its program was ended before it.")
            : Problems.NotFinished(call, what, id, Answers.RetryAfterSeconds);
    }

    private static HttpAnswer Answer(ReportForm form, string id, byte[] content) => new HttpAnswer { Status = 200, ContentType = $"{form.MediaType}; charset=utf-8", Body = content }
        .With("Content-Security-Policy", Policy)
        .With("Content-Disposition", $"inline; filename=\"{id}.{form.Name}\"");
}
