using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;

namespace ScaleOut.Api.Responses;

/// <summary>The errors of the HTTP interface, as <c>application/problem+json</c> (RFC 9457).</summary>
public static class Problems
{
    private const string Kinds = "urn:scaleout:problem:";
    private const int MaxInstanceLength = 200;

    /// <summary>404: no endpoint has this path.</summary>
    public static IResult NoSuchPath(HttpContext context) =>
        Create(context, 404, kind: null, "Not Found", "There is nothing at this path.");

    /// <summary>405: the endpoint does not support the method.</summary>
    /// <param name="allowed">The supported methods, in the form of the header Allow.</param>
    public static IResult MethodNotAllowed(HttpContext context, string allowed)
    {
        context.Response.Headers.Allow = allowed;
        return Create(context, 405, kind: null, "Method Not Allowed", $"This path supports {allowed}.");
    }

    /// <summary>403: the server does not accept requests from this origin.</summary>
    public static IResult Forbidden(HttpContext context, string detail) => Create(context, 403, "foreign-origin", "Forbidden", detail);

    /// <summary>Responds to an unexpected exception: 409 if a stored item cannot be used, otherwise 500.</summary>
    public static IResult From(HttpContext context, Exception exception) =>
        exception is EvidenceException evidence ? Unusable(context, evidence) : Unexpected(context);

    /// <summary>500: leaves out the cause, which may contain a secret such as a connection string.</summary>
    private static JsonHttpResult<ProblemDetails> Unexpected(HttpContext context) =>
        Create(context, 500, kind: null, "Internal Server Error", "An unexpected error occurred; the server's log has the details.");

    /// <summary>503: the queue of jobs is full.</summary>
    public static IResult Full(HttpContext context, string reason)
    {
        RetryAfterHeader.Set(context);
        return Create(context, 503, "queue-full", "The queue is full", reason);
    }

    /// <summary>503: a service that the server depends on does not respond. The request may be sent again later.</summary>
    /// <param name="service">Such as <c>run store</c>.</param>
    public static IResult Unavailable(HttpContext context, string service, string reason)
    {
        RetryAfterHeader.Set(context);
        return Create(
            context,
            503,
            $"{service.Replace(' ', '-')}-unavailable",
            $"The {service} is not available",
            $"The {service} is not available: {reason}. Runs that are under way go on. Send the request again later.");
    }

    public static IResult InvalidSpec(HttpContext context, string what, IEnumerable<ValidationError> errors) =>
        Invalid(context, "invalid-spec", $"The {what} is not valid", errors);

    public static IResult InvalidParameter(HttpContext context, string parameter, string message) =>
        InvalidParameters(context, [new ValidationError(parameter, message)]);

    internal static IResult InvalidParameters(HttpContext context, IEnumerable<ValidationError> errors) =>
        Invalid(context, "invalid-parameter", "A parameter is not valid", errors);

    internal static IResult IdInUse(HttpContext context, string id) =>
        Create(
            context,
            409,
            "id-in-use",
            "The id is in use",
            $"There is a run or an experiment '{id}' already; choose another id, leave it out to have one made, or resume that one if it "
                + "was interrupted or could not start.");

    internal static IResult NotFinished(HttpContext context, string what, string id)
    {
        RetryAfterHeader.Set(context);
        return Create(
            context, 409, "not-finished", "There is no report yet", $"The {what} '{id}' has not ended; its report comes with its end.");
    }

    internal static IResult NoReport(HttpContext context, string what, string id, string reason) =>
        Create(context, 409, "no-report", "There is no report", $"The {what} '{id}' has ended without a report: {reason}");

    internal static IResult Ended(HttpContext context, string what, string id) =>
        Create(context, 409, "ended", "It has ended", $"The {what} '{id}' has ended; there is nothing to stop.");

    internal static IResult NotRunning(HttpContext context, string what, string id) =>
        Create(
            context,
            409,
            "not-running",
            "It is not running",
            $"The {what} '{id}' is interrupted: its program ended before it did. There is nothing to stop. Resume it, so that it can end.");

    internal static IResult Running(HttpContext context, string what, string id) =>
        Create(context, 409, "under-way", "It is running", $"The {what} '{id}' is queued or running; there is nothing to resume.");

    internal static IResult NothingLeft(HttpContext context, string what, string id) =>
        Create(
            context,
            409,
            "nothing-left",
            "Nothing is left to do",
            $"The {what} '{id}' has ended, and everything that can be measured here is measured; there is nothing to resume.");

    internal static IResult NotResumable(HttpContext context, string reason) =>
        Create(context, 409, "not-resumable", "It cannot be resumed", reason);

    public static IResult Unknown(HttpContext context, string what) =>
        Create(context, 404, kind: null, "Not Found", $"There is no such {what}.");

    // The message names the item, but does not show its content.
    private static JsonHttpResult<ProblemDetails> Unusable(HttpContext context, EvidenceException problem) =>
        Create(context, 409, "unusable-evidence", "A stored item cannot be used", problem.Message);

    internal static IResult TooLarge(HttpContext context, int maxBytes) =>
        Create(
            context,
            413,
            kind: null,
            "Content Too Large",
            $"The body is longer than {maxBytes} bytes.");

    /// <summary>400, or another status that the server determined: the body is not valid HTTP.</summary>
    public static IResult Unreadable(HttpContext context, int status) =>
        Create(
            context, status, kind: null, "Bad Request", "The request's body cannot be read: its length or its chunks are not valid HTTP.");

    internal static IResult NotJson(HttpContext context)
    {
        context.Response.Headers.Accept = "application/json";
        return Create(
            context,
            415,
            kind: null,
            "Unsupported Media Type",
            "The body must be JSON in UTF-8, with the header Content-Type: application/json.");
    }

    private static JsonHttpResult<HttpValidationProblemDetails> Invalid(
        HttpContext context, string kind, string title, IEnumerable<ValidationError> errors)
    {
        var all = errors.ToList();
        var details = new HttpValidationProblemDetails(
            all.GroupBy(error => error.Path).ToDictionary(path => path.Key, path => path.Select(error => error.Message).ToArray()))
        {
            Type = Kinds + kind,
            Title = title,
            Status = 400,
            Detail = all.Count == 1
                ? all[0].ToString()
                : $"{all.Count} errors, each under its field in errors.",
            Instance = InstanceOf(context),
        };
        return Respond(details, 400);
    }

    private static JsonHttpResult<ProblemDetails> Create(HttpContext context, int status, string? kind, string title, string detail)
    {
        var type = kind is null ? "about:blank" : Kinds + kind;
        return Respond(
            new ProblemDetails { Type = type, Title = title, Status = status, Detail = detail, Instance = InstanceOf(context) }, status);
    }

    // Uses the interface's own JSON options, so that texts are not escaped more than in other responses.
    private static JsonHttpResult<T> Respond<T>(T details, int status)
        where T : ProblemDetails => TypedResults.Json(details, ScaleOutJson.Compact, "application/problem+json; charset=utf-8", status);

    private static string InstanceOf(HttpContext context)
    {
        const int EscapeLength = 3;
        var path = context.Request.Path.ToUriComponent();
        if (path.Length <= MaxInstanceLength)
            return path;
        // The path must not be cut within an escape such as %20.
        var escape = path.LastIndexOf('%', MaxInstanceLength - 1);
        return ShortText.Cut(path, escape > MaxInstanceLength - EscapeLength ? escape : MaxInstanceLength);
    }
}
