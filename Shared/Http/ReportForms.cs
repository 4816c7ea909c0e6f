using ScaleOut.Reports.Writers;

namespace ScaleOut.Http;

/// <summary>The forms of a report, as answers.</summary>
internal static class ReportForms
{
    /// <summary>A report asks for nothing but its own style, runs no script and is shown in no other page, whatever its names hold.</summary>
    private const string Policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// <summary>The form that a request asks for, JSON when it does not say; else the answer that names those there are.</summary>
    public static (IReportWriter? Form, HttpAnswer? Refusal) Find(HttpCall call, IReadOnlyList<IReportWriter> forms)
    {
        var name = call.Query.GetValueOrDefault("format") ?? "json";
        if (forms.FirstOrDefault(form => NameOf(form) == name) is { } found)
            return (found, null);
        return (null, Problems.InvalidParameter(call, "format", $"{Specs.Reading.FaultText.Quote(name)} is not one of {string.Join(", ", forms.Select(NameOf))}"));
    }

    public static HttpAnswer Answer(IReportWriter form, string id, byte[] content) => new HttpAnswer { Status = 200, ContentType = $"{form.MediaType}; charset=utf-8", Body = content }
        .With("Content-Security-Policy", Policy)
        .With("Content-Disposition", $"inline; filename=\"{id}.{NameOf(form)}\"");

    private static string NameOf(IReportWriter form) => Path.GetExtension(form.FileName)[1..];
}
