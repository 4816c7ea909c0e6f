using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>What a worker does with each document number of its slice.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkloadKind>))]
public enum WorkloadKind
{
    /// <summary>One create per document.</summary>
    Insert,

    /// <summary>One upsert per document.</summary>
    Upsert,

    /// <summary>Creates that the SDK groups by physical partition (<c>AllowBulkExecution</c>).</summary>
    Bulk,

    /// <summary>TransactionalBatches of <see cref="WorkloadSpec.BatchSize"/> creates on one partition key.</summary>
    Batch,

    /// <summary>One point read by id and key per number, of documents that the run put before its start or found there.</summary>
    Read,

    /// <summary>One query per number, all pages.</summary>
    Query,

    /// <summary>One delete by id and key per document.</summary>
    Delete,
}
