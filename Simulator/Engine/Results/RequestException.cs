namespace ScaleOut.Simulator.Engine.Results;

/// <summary>Ends a request with a status. Only for rare cases; document operations return their status.</summary>
internal sealed class RequestException(int status, string message, int subStatus = 0) : Exception(message)
{
    /// <summary>The 404 of a database or container, and of a replica.</summary>
    public const string ResourceNotFound = "Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found";

    /// <summary>A replica's 409 of an item.</summary>
    public const string IsTaken = "Resource with specified id or name already exists.";

    /// <summary>Levels of a request's JSON: of a document, and of a patch or parameter that it is in.</summary>
    private const int MaxDepth = 256;

    /// <summary>Leaves apostrophes and other letters as they are, as the service does.</summary>
    private static readonly JsonSerializerOptions RelaxedJson = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public int Status { get; } = status;

    public int SubStatus { get; } = subStatus;

    /// <summary>Whether the ledger counts it as rejected: not authenticated or not understood.</summary>
    public bool IsRejected { get; private init; }

    /// <summary>Further text of the response for clients; null for none.</summary>
    public string? AdditionalInfo { get; private init; }

    /// <summary>The error of a query in the service's own form, JSON; null for other errors.</summary>
    public string? QueryErrors { get; private init; }

    /// <summary>A replica's form of the error, JSON.</summary>
    public string Errors => QueryErrors ?? ErrorsOf(Message);

    /// <summary>Whether the service's gateway itself responds with it, without a charge. All other errors are a replica's.</summary>
    public bool IsOfGateway { get; private init; }

    /// <summary>Whether the request ends before it is authenticated.</summary>
    public bool PrecedesAuthentication { get; private init; }

    /// <summary>Responds to unknown resources.</summary>
    public static RequestException Unserved(int status, string message) =>
        new(status, message) { IsRejected = true, IsOfGateway = true, PrecedesAuthentication = true };

    public static RequestException From(in OperationResult result) => new(result.Status, result.Message!, result.SubStatus)
    {
        QueryErrors = result.IsBody ? result.Message : null,
    };

    public static RequestException Rejected(string message, int status = ServiceStatus.BadRequest) =>
        new(status, message) { IsRejected = true, IsOfGateway = true };

    /// <summary>400: the service's gateway does not accept the request.</summary>
    public static RequestException OfGateway(string message, int subStatus = 0, string? additionalInfo = null) =>
        new(ServiceStatus.BadRequest, message, subStatus) { IsOfGateway = true, AdditionalInfo = additionalInfo };

    /// <summary>400: a query is not accepted as a whole.</summary>
    /// <param name="code">The service's number for it; null if it has a replica's form.</param>
    public static RequestException OfQuery(string message, int? code = null) => new(ServiceStatus.BadRequest, message)
    {
        IsRejected = true, IsOfGateway = true, QueryErrors = code is { } number ? ErrorsOf(number, message) : ErrorsOf(message),
    };

    /// <summary>400: a part of a query's text is wrong.</summary>
    /// <param name="code">The service's code, such as <c>SC1001</c>.</param>
    public static RequestException InQuery(string code, TextPlace place, string message) => InQuery([new QueryError(code, place, message)]);

    /// <summary>400: parts of a query's text are wrong.</summary>
    public static RequestException InQuery(IReadOnlyList<QueryError> errors) => new(ServiceStatus.BadRequest, errors[0].Message)
    {
        IsRejected = true,
        IsOfGateway = true,
        QueryErrors = JsonSerializer.Serialize(
            new
            {
                errors = errors.Select(error => new
                {
                    severity = "Error",
                    location = new { start = error.Place.Start, end = error.Place.End },
                    code = error.Code,
                    message = error.Message,
                }),
            },
            RelaxedJson),
    };

    /// <summary>400: no index can order the results of a query by an expression.</summary>
    public static RequestException NotOrdered() =>
        OfQuery("Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.", 2206);

    /// <summary>400: the results of a query have a number that JSON does not have.</summary>
    public static RequestException NotFinite()
    {
        const string message = "The response content contains a numeric value that cannot be represented in JSON (e.g. Infinity and NaN).";
        return new(ServiceStatus.BadRequest, message, ServiceStatus.NumberNotInJson)
        {
            QueryErrors = ErrorsOf(ServiceStatus.NumberNotInJson, message),
        };
    }

    /// <summary>A query's error without a place in its text, JSON.</summary>
    private static string ErrorsOf(int code, string message) =>
        JsonSerializer.Serialize(new { errors = new[] { new { severity = "Error", code, message } } }, RelaxedJson);

    /// <summary>A replica's form of an error, JSON.</summary>
    public static string ErrorsOf(string message) => $$"""{"Errors":[{{JsonSerializer.Serialize(message, RelaxedJson)}}]}""";

    public static RequestException BadRequest(string message, int subStatus = 0) => new(ServiceStatus.BadRequest, message, subStatus);

    public static RequestException NotFound(int subStatus = 0) => new(ServiceStatus.NotFound, ResourceNotFound, subStatus);

    public static RequestException Conflict() =>
        new(ServiceStatus.Conflict, "Resource with specified id, name, or unique index already exists.");

    public static RequestException Gone(string message, int subStatus) => new(ServiceStatus.Gone, message, subStatus);

    public static RequestException RangeGone(int subStatus) => Gone("The partition key range does not exist.", subStatus);

    public static RequestException MethodNotAllowed() => new(ServiceStatus.MethodNotAllowed, "The method is not allowed on this path.");

    /// <exception cref="RequestException">400 with <paramref name="error"/>: the text is not JSON, or not of the expected form.</exception>
    public static T ReadJson<T>(ReadOnlyMemory<byte> json, string error, Func<JsonElement, T> read, bool isRejected = false)
    {
        try
        {
            using var document = JsonDocument.Parse(json, new JsonDocumentOptions { MaxDepth = MaxDepth });
            return read(document.RootElement);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or KeyNotFoundException or FormatException)
        {
            throw isRejected ? Rejected(error) : BadRequest(error);
        }
    }
}

/// <summary>An error in a query's text.</summary>
/// <param name="Code">The service's code, such as <c>SC1001</c>.</param>
internal readonly record struct QueryError(string Code, TextPlace Place, string Message);

/// <summary>A part of a query's text, by the positions of its first character and of the one after its last.</summary>
internal readonly record struct TextPlace(int Start, int End);
