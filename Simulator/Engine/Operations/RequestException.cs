namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>A request that ends in the given status. Thrown only on ways that are rare; document operations return their status.</summary>
#pragma warning disable CA1032, CA1064 // Never constructed without a status, never leaves this assembly.
internal sealed class RequestException(int status, string message, int subStatus = 0) : Exception(message)
#pragma warning restore CA1032, CA1064
{
    /// <summary>What a 404 says of a database or container, and a replica of an item.</summary>
    public const string ResourceNotFound = "Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found";

    /// <summary>What the gateway's 404 says of an item.</summary>
    public const string IsMissing = "Entity with the specified id does not exist in the system.";

    /// <summary>What a 409 says of an id.</summary>
    public const string IsTaken = "Entity with the specified id already exists in the system.";

    public int Status { get; } = status;

    public int SubStatus { get; } = subStatus;

    /// <summary>Whether the request was not authenticated or not understood, which the ledger counts.</summary>
    public bool IsRejected { get; private init; }

    /// <summary>What the response says beside the message, for clients to go on with; null for nothing.</summary>
    public string? AdditionalInfo { get; init; }

    /// <summary>Whether the request ends so before it is authenticated.</summary>
    public bool PrecedesAuthentication { get; private init; }

    /// <summary>A request for what the account has not, whoever asks.</summary>
    public static RequestException Unserved(int status, string message) =>
        new(status, message) { IsRejected = true, PrecedesAuthentication = true };

    public static RequestException From(in OperationResult result) => new(result.Status, result.Message!, result.SubStatus);

    public static RequestException Rejected(int status, string message) => new(status, message) { IsRejected = true };

    public static RequestException BadRequest(string message, int subStatus = 0) => new(ServiceStatus.BadRequest, message, subStatus);

    public static RequestException NotFound(int subStatus = 0) =>
        new(ServiceStatus.NotFound, ResourceNotFound, subStatus);

    public static RequestException Conflict() => new(ServiceStatus.Conflict, IsTaken);

    public static RequestException Gone(string message, int subStatus) => new(ServiceStatus.Gone, message, subStatus);

    /// <summary>The partition key range is unknown or was split.</summary>
    public static RequestException RangeGone(int subStatus) => Gone("The partition key range does not exist.", subStatus);

    public static RequestException MethodNotAllowed() => new(ServiceStatus.MethodNotAllowed, "The method is not allowed on this path.");

    /// <summary>What <paramref name="read"/> makes of a JSON text.</summary>
    /// <exception cref="RequestException">400 with <paramref name="error"/>: the text is not JSON, or not what is read.</exception>
    public static T ReadJson<T>(ReadOnlyMemory<byte> json, string error, Func<JsonElement, T> read, bool isRejected = false)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(json);
            return read(document.RootElement);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or KeyNotFoundException or FormatException)
        {
            throw isRejected ? Rejected(ServiceStatus.BadRequest, error) : BadRequest(error);
        }
    }
}
