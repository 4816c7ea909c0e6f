namespace ScaleOut.Reports;

/// <summary>Operations handed to the SDK: each try counts, each document of a bulk run is one, one TransactionalBatch is one; of a query each page of each physical partition.</summary>
public sealed record RequestBooks
{
    public required long Attempts { get; init; }

    /// <summary>Operations that ended without failing: of a batch run its batches, of a query run its queries.</summary>
    public long Operations { get; init; }

    /// <summary>Requests that the SDK sent for the operations: of queries each page and each query plan, of others one an attempt. Null in bulk, where they are not seen.</summary>
    public long? Calls { get; init; }

    /// <summary><see cref="Calls"/> / <see cref="Operations"/>; null where either is not known or nothing was done.</summary>
    public double? CallsPerOperation { get; init; }

    /// <summary>Documents that queries gave back; null for other workloads.</summary>
    public long? Items { get; init; }

    /// <summary><see cref="Items"/> / <see cref="Operations"/>; null for other workloads.</summary>
    public double? ItemsPerOperation { get; init; }

    /// <summary>Attempts answered 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>Attempts that ended in anything but success, 409 or 429.</summary>
    public required long OtherErrors { get; init; }

    /// <summary><see cref="OtherErrors"/> by status and sub-status, such as <c>"503/20006"</c>; status 0 is no answer.</summary>
    public IReadOnlyDictionary<string, long> ErrorsByStatus { get; init; } = new Dictionary<string, long>();
}
