namespace ScaleOut.Analysis.Calibration;

/// <summary>What an operation was charged.</summary>
public sealed record ChargeObservation
{
    public required ChargedKind Kind { get; init; }

    /// <summary>RU, as the service stated them: to two decimals.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>The document's JSON in UTF-8; of a query, that of each of its documents.</summary>
    public required long Bytes { get; init; }

    /// <summary>Index entries that a create adds, or a replace or a patch removes and adds.</summary>
    public int IndexEntries { get; init; }

    /// <summary>Operations of a patch, or documents of a batch; else 1.</summary>
    public int Operations { get; init; } = 1;

    /// <summary>Conditions of a query that the index serves.</summary>
    public int Lookups { get; init; }

    /// <summary>Documents that a query loads.</summary>
    public int Loaded { get; init; }

    /// <summary>Documents that a query returns.</summary>
    public int Returned { get; init; }

    /// <summary>Size of each result of a query in UTF-8, without what the service adds to a document.</summary>
    public long ReturnedBytes { get; init; }
}

/// <summary>Operations whose charges are distinguished.</summary>
public enum ChargedKind
{
    Create,
    Read,
    Replace,
    Delete,
    Patch,

    /// <summary>A TransactionalBatch of creates.</summary>
    Batch,

    /// <summary>A create where indexing is off.</summary>
    CreateWithoutIndex,

    /// <summary>A query of one partition key on one page.</summary>
    Query,
}
