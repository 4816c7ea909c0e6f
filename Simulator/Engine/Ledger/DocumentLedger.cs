namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>What became of documents, through whatever operation.</summary>
public sealed record DocumentLedger
{
    /// <summary>Created by a create operation.</summary>
    public required long Created { get; init; }

    /// <summary>Upserts that met no document and so made a new one.</summary>
    public required long UpsertedNew { get; init; }

    /// <summary>Existing documents given a new body, by a replace or an upsert.</summary>
    public required long Replaced { get; init; }

    public required long Deleted { get; init; }
}
