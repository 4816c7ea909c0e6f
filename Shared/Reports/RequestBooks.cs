namespace ScaleOut.Reports;

/// <summary>Operations handed to the SDK: each try counts, each document of a bulk run is one, one TransactionalBatch is one.</summary>
public sealed record RequestBooks
{
    public required long Attempts { get; init; }

    /// <summary>Attempts answered 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>Attempts that ended in anything but success, 409 or 429.</summary>
    public required long OtherErrors { get; init; }

    /// <summary><see cref="OtherErrors"/> by status and sub-status, such as <c>"503/20006"</c>; status 0 is no answer.</summary>
    public IReadOnlyDictionary<string, long> ErrorsByStatus { get; init; } = new Dictionary<string, long>();
}
