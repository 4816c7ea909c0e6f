namespace ScaleOut.Specs;

/// <summary>What the workers do.</summary>
public sealed record WorkloadSpec
{
    /// <summary>Most documents of a batch.</summary>
    public const int MostBatchSize = 100;

    /// <summary>Documents of a batch where the spec does not say.</summary>
    public const int DefaultBatchSize = 100;

    /// <summary>Most <see cref="Steps"/>.</summary>
    public const int MostSteps = 100;

    /// <summary>Most <see cref="RequestUnitRate"/>.</summary>
    public const double MostRequestUnitRate = 10_000_000;

    /// <summary>Longest <see cref="ThinkTime"/>.</summary>
    public static readonly TimeSpan LongestThinkTime = TimeSpan.FromMinutes(10);

    /// <summary>What is said of a share of RU/s that are not known.</summary>
    public const string UnknownShare =
        "workload.maxRequestUnitShare: the account does not report the container's RU/s (serverless, or no right to read them), so that no "
            + "share of them is known; give workload.requestUnitRate instead.";

    /// <summary>Default <see cref="WorkloadKind.Insert"/>.</summary>
    public WorkloadKind Kind { get; init; } = WorkloadKind.Insert;

    /// <summary>
    /// Documents per TransactionalBatch or entity group transaction, 1 to <see cref="MostBatchSize"/>; only with
    /// <see cref="WorkloadKind.Batch"/> and <see cref="WorkloadKind.TableBatch"/>, and beside <see cref="OfRun"/> when that run wrote
    /// batches of so many. Null means <see cref="DefaultBatchSize"/>, beside <see cref="OfRun"/> single documents.
    /// </summary>
    public int? BatchSize { get; init; }

    /// <summary>
    /// Whether the SDK groups reads or deletes by physical partition (<c>AllowBulkExecution</c>). Default false;
    /// <see cref="WorkloadKind.Bulk"/> says it of creates.
    /// </summary>
    public bool Bulk { get; init; }

    /// <summary>
    /// Documents that reads, queries and deletes choose from, 1 to <see cref="RunSpec.MostDocuments"/>: number n addresses document n
    /// modulo this. The workers write them before the start, unmeasured; with <see cref="OfRun"/> they are that run's. For deletes at
    /// least the run's documents. Null means as many as the run's documents.
    /// </summary>
    public long? Preload { get; init; }

    /// <summary>
    /// The run whose documents are in the named container; reads and deletes of a named container need it. Null means this run's own.
    /// </summary>
    public string? OfRun { get; init; }

    /// <summary>Exactly with <see cref="WorkloadKind.Query"/>.</summary>
    public QuerySpec? Query { get; init; }

    /// <summary>
    /// Closed loop: how long each operation loop waits after an operation before its next one, 0 to
    /// <see cref="LongestThinkTime"/> and at most half of the leg duration. Default 0.
    /// </summary>
    public TimeSpan ThinkTime { get; init; }

    /// <summary>
    /// RU/s that all workers together use at most, 1 to <see cref="MostRequestUnitRate"/>, whatever else says the load; not beside
    /// <see cref="MaxRequestUnitShare"/>. Null means no such limit.
    /// </summary>
    public double? RequestUnitRate { get; init; }

    /// <summary>
    /// Share of the container's RU/s that all workers together use at most, above 0 to 1: for a run beside live traffic. Null means no such
    /// limit.
    /// </summary>
    public double? MaxRequestUnitShare { get; init; }

    /// <summary>
    /// Changes of the load, one after the other from the common start; the run ends after the last one, or before when all documents are
    /// done. Up to <see cref="MostSteps"/>. Null means one load for the whole run.
    /// </summary>
    public IReadOnlyList<StepSpec>? Steps { get; init; }

    /// <summary>How long the <see cref="Steps"/> take together; null without steps.</summary>
    [JsonIgnore]
    public TimeSpan? StepsDuration => Steps is null ? null : TimeSpan.FromTicks(Steps.Sum(step => step.Duration.Ticks));

    /// <summary>
    /// Documents that one operation handed to the SDK carries: the batch size for batches, else 1. Slices, legs and <c>next</c> lie on its
    /// multiples.
    /// </summary>
    [JsonIgnore]
    public int DocumentsPerOperation => Kind.WritesBatches() ? BatchSize ?? DefaultBatchSize : 1;

    /// <summary>Whether the client groups operations by physical partition.</summary>
    [JsonIgnore]
    public bool UsesBulk => Kind == WorkloadKind.Bulk || Bulk;

    /// <summary>Whether the workers keep to RU/s of their own.</summary>
    [JsonIgnore]
    public bool IsPaced => RequestUnitRate is not null || MaxRequestUnitShare is not null;

    /// <summary>RU/s that all workers together may use; null without a limit, and where the container's RU/s are not known.</summary>
    /// <param name="budgetPerSecond">RU/s of the container; null where they are not known.</param>
    public double? PaceOf(double? budgetPerSecond) => RequestUnitRate ?? (MaxRequestUnitShare * budgetPerSecond);

    /// <summary>Documents that the operations choose from, of a run with so many numbers.</summary>
    public long PreloadOf(long documents) => Preload ?? documents;
}

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

    /// <summary>One point read by id and key per number, of documents that the run wrote before its start or found there.</summary>
    Read,

    /// <summary>One query per number, all pages.</summary>
    Query,

    /// <summary>One delete by id and key per document.</summary>
    Delete,

    /// <summary>
    /// Entity group transactions of <see cref="WorkloadSpec.BatchSize"/> inserts on one partition key, into a table of Azure Table storage
    /// instead of a container.
    /// </summary>
    TableBatch,
}

/// <summary>What kinds of workload have in common.</summary>
public static class WorkloadKinds
{
    /// <summary>Whether the workload needs documents that are there before it starts.</summary>
    public static bool NeedsDocuments(this WorkloadKind kind) => kind is WorkloadKind.Read or WorkloadKind.Query or WorkloadKind.Delete;

    /// <summary>Whether documents go to a table of Table storage instead of a container.</summary>
    public static bool UsesTables(this WorkloadKind kind) => kind == WorkloadKind.TableBatch;

    /// <summary>Whether one operation writes several documents of one partition key.</summary>
    public static bool WritesBatches(this WorkloadKind kind) => kind is WorkloadKind.Batch or WorkloadKind.TableBatch;

    /// <summary>Whether the container's count stays as it is.</summary>
    public static bool LeavesCount(this WorkloadKind kind) => kind is WorkloadKind.Read or WorkloadKind.Query;
}

/// <summary>A query that is sent once for each number, and read to its last page.</summary>
public sealed record QuerySpec
{
    /// <summary>Longest <see cref="Text"/>, in characters.</summary>
    public const int LongestText = 4_000;

    /// <summary>Most <see cref="Parameters"/>.</summary>
    public const int MostParameters = 20;

    /// <summary>Longest value of a parameter, and longest <see cref="PartitionKey"/>, in characters.</summary>
    public const int LongestValue = 500;

    /// <summary>Most <see cref="MaxConcurrency"/>.</summary>
    public const int MostConcurrency = 10_000;

    /// <summary>Most <see cref="PageSize"/>.</summary>
    public const int MostPageSize = 1_000;

    /// <summary>Such as <c>SELECT * FROM c WHERE c.ownerId = @owner</c>.</summary>
    public required string Text { get; init; }

    /// <summary>Values of the text's parameters.</summary>
    public IReadOnlyList<QueryParameterSpec>? Parameters { get; init; }

    /// <summary>
    /// Physical partitions that the SDK asks at once, -1 to <see cref="MostConcurrency"/>: -1 leaves it to the SDK, 0 asks one after the
    /// other. Null means the SDK's default, which is 0.
    /// </summary>
    public int? MaxConcurrency { get; init; }

    /// <summary>
    /// The partition key that the query is limited to, with placeholders such as <c>{{key}}</c>. Null means all partitions.
    /// </summary>
    public string? PartitionKey { get; init; }

    /// <summary>Documents per page, 1 to <see cref="MostPageSize"/>. Null means the SDK's default.</summary>
    public int? PageSize { get; init; }
}

/// <summary>One parameter of a query.</summary>
public sealed record QueryParameterSpec
{
    /// <summary>Such as <c>@owner</c>.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// JSON of a text, a number or a truth value. Placeholders in a text are those of the document that the number addresses, such as
    /// <c>"{{key}}"</c> or <c>"{{field:ownerId}}"</c>.
    /// </summary>
    [JsonConverter(typeof(RawJsonConverter))]
    public required string Value { get; init; }
}

/// <summary>
/// One step of a step load. Exactly one of <see cref="Users"/>, <see cref="Concurrency"/> and <see cref="Rate"/> is given, the same in all
/// steps.
/// </summary>
public sealed record StepSpec
{
    /// <summary>Shortest <see cref="Duration"/>.</summary>
    public static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);

    /// <summary>Longest <see cref="Duration"/>.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromSeconds(86_399);

    /// <summary>
    /// Operations in flight over the whole run, spread evenly over its workers, from 0: each stands for a user who waits for the
    /// response, thinks and goes on.
    /// </summary>
    public int? Users { get; init; }

    /// <summary>Operations in flight per worker, 0 to <see cref="ClientSpec.MostConcurrency"/>.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Open loop: documents per second and worker, above 0 to <see cref="ClientSpec.MostRate"/>.</summary>
    public double? Rate { get; init; }

    /// <summary>From <see cref="Shortest"/> to <see cref="Longest"/>.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Operations in flight of one worker; null in an open loop.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    /// <param name="workers">Workers of the run.</param>
    public int? ConcurrencyOf(int worker, int workers) =>
        Users is { } users ? (users / workers) + (worker < users % workers ? 1 : 0) : Concurrency;

    /// <summary>Which field it gives.</summary>
    [JsonIgnore]
    internal string Measure => Users is not null ? "users" : Concurrency is not null ? "concurrency" : "rate";
}
