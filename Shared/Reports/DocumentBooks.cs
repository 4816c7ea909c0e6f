namespace ScaleOut.Reports;

/// <summary>Documents by what became of them, or of reads, queries and deletes on them. Always <c>inserted + alreadyPresent + failed + remaining = asked</c>.</summary>
public sealed record DocumentBooks
{
    /// <summary>Documents of the run; for a worker, of its slice.</summary>
    public required long Asked { get; init; }

    /// <summary>Put by a leg that left its result; of reads, queries and deletes those that it did.</summary>
    public required long Inserted { get; init; }

    /// <summary>Found there already: put by a leg that was lost. Of deletes: gone already.</summary>
    public required long AlreadyPresent { get; init; }

    /// <summary>Answered with a status that no retry can help.</summary>
    public required long Failed { get; init; }

    /// <summary>Not finished when the run ended.</summary>
    public required long Remaining { get; init; }

    /// <summary>By how many documents the container's own count rose, for deletes fell; null for reads and queries, for a single worker, and when it could not be counted.</summary>
    public long? Verified { get; init; }
}
