using System.Globalization;
using ScaleOut.Specs;

namespace ScaleOut.Http;

/// <summary>The errors of the interface.</summary>
internal static class Problems
{
    private const string Kinds = "urn:scaleout:problem:";

    public static HttpAnswer InvalidSpec(HttpCall call, string what, IEnumerable<SpecFault> faults) =>
        Faulty(call, "invalid-spec", $"The {what} is not valid", faults);

    public static HttpAnswer InvalidParameter(HttpCall call, string parameter, string message) =>
        Faulty(call, "invalid-parameter", "A parameter is not valid", [new SpecFault(parameter, message)]);

    public static HttpAnswer IdInUse(HttpCall call, string id) =>
        Of(call, 409, "id-in-use", "The id is in use", $"There is a run or an experiment '{id}' already; choose another id, or leave it out to have one made.");

    public static HttpAnswer NotFinished(HttpCall call, string what, string id, int retryAfterSeconds) =>
        Of(call, 409, "not-finished", "There is no report yet", $"The {what} '{id}' has not ended; its report comes with its end.")
            .With("Retry-After", retryAfterSeconds.ToString(CultureInfo.InvariantCulture));

    public static HttpAnswer NoReport(HttpCall call, string what, string id, string reason) =>
        Of(call, 409, "no-report", "There is no report", $"The {what} '{id}' has ended without a report: {reason}");

    public static HttpAnswer Ended(HttpCall call, string what, string id) =>
        Of(call, 409, "ended", "It has ended", $"The {what} '{id}' has ended; there is nothing to stop.");

    public static HttpAnswer UnderWay(HttpCall call, string what, string id) =>
        Of(call, 409, "under-way", "It is under way", $"The {what} '{id}' is queued or under way; there is nothing to take up.");

    public static HttpAnswer AllMeasured(HttpCall call, string what, string id) =>
        Of(call, 409, "all-measured", "Everything is measured", $"Every run of the {what} '{id}' that can be measured here is measured; there is nothing to take up.");

    /// <param name="call">The request.</param>
    /// <param name="reason">Why not, in a sentence.</param>
    public static HttpAnswer NotResumable(HttpCall call, string reason) => Of(call, 409, "not-resumable", "It cannot be taken up", reason);

    public static HttpAnswer Unknown(HttpCall call, string what) => Of(call, 404, kind: null, "Not Found", $"There is no such {what}.");

    public static HttpAnswer NoSuchPath(HttpCall call) => Of(call, 404, kind: null, "Not Found", "There is nothing at this path.");

    public static HttpAnswer MethodNotAllowed(HttpCall call, string allowed) =>
        Of(call, 405, kind: null, "Method Not Allowed", $"Here {allowed} can be used.").With("Allow", allowed);

    public static HttpAnswer TooLarge(HttpCall call) =>
        Of(call, 413, kind: null, "Content Too Large", string.Create(CultureInfo.InvariantCulture, $"The body is longer than {RequestBody.MostBytes} bytes."));

    public static HttpAnswer NotJson(HttpCall call) =>
        Of(call, 415, kind: null, "Unsupported Media Type", "The body must be JSON in UTF-8, with the header Content-Type: application/json.").With("Accept", "application/json");

    public static HttpAnswer Refused(HttpCall call, string detail) => Of(call, 403, "foreign-origin", "Not from here", detail);

    /// <summary>Says nothing of the cause: that may hold what is not for clients, such as a connection string.</summary>
    public static HttpAnswer Unexpected(HttpCall call) =>
        Of(call, 500, kind: null, "Internal Server Error", "Something went wrong that nobody foresaw; the server's log has the details.");

    private static HttpAnswer Faulty(HttpCall call, string kind, string title, IEnumerable<SpecFault> faults)
    {
        var errors = faults.GroupBy(fault => fault.Path).ToDictionary(path => path.Key, path => (IReadOnlyList<string>)[.. path.Select(fault => fault.Message)]);
        var count = errors.Values.Sum(messages => messages.Count);
        var details = new ProblemDetails
        {
            Type = Kinds + kind,
            Title = title,
            Status = 400,
            Detail = count == 1 ? FirstOf(errors) : string.Create(CultureInfo.InvariantCulture, $"{count} faults, each under its field in errors."),
            Instance = InstanceOf(call),
            Errors = errors,
        };
        return HttpAnswer.Json(400, details, ProblemDetails.MediaType);
    }

    private static string FirstOf(Dictionary<string, IReadOnlyList<string>> errors)
    {
        var (path, messages) = errors.First();
        return new SpecFault(path, messages[0]).ToString();
    }

    private static HttpAnswer Of(HttpCall call, int status, string? kind, string title, string detail)
    {
        var details = new ProblemDetails { Type = kind is null ? "about:blank" : Kinds + kind, Title = title, Status = status, Detail = detail, Instance = InstanceOf(call) };
        return HttpAnswer.Json(status, details, ProblemDetails.MediaType);
    }

    private static string InstanceOf(HttpCall call)
    {
        const int longest = 200;
        var path = call.Path.Length <= longest ? call.Path : call.Path[..longest];
        return "/" + string.Join('/', path.Trim('/').Split('/').Select(Uri.EscapeDataString));
    }
}
