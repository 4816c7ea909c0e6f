namespace ScaleOut.Specs.Reading;

/// <summary>
/// The fields of a <see cref="RunSpec"/>: their names, types and ranges. What spans several fields is in <see cref="RunSpecRules"/>.
/// </summary>
public static class RunSpecFields
{
    private static readonly RunSpec Defaults = new();

    public static RunSpec Read(ISpecObject run)
    {
        run.Field("$schema", "Where an editor finds the schema of this file; means nothing to a run.").Text(TextForm.Free(2_000));
        return new RunSpec
        {
            Id = run.Field("id", "Run id; made from the time when left out.").Text(RunIds.Form),
            Name = run.Field("name", "Free text for the report.").Text(TextForm.Free(RunSpec.LongestName)),
            Documents = run.Field("documents", "Documents to write, or operations on those that are there.")
                .Whole(1, RunSpec.MostDocuments) ?? Defaults.Documents,
            Workers = run.Field("workers", "Workers that share them; no more than there are documents, or batches.")
                .WholeInt(1, RunSpec.MostWorkers) ?? Defaults.Workers,
            Workload = run.Field("workload", "What the workers do.").Nested(WorkloadSpecFields.Read) ?? Defaults.Workload,
            Document = run.Field("document", "Which documents there are.").Nested(DocumentSpecFields.Read) ?? Defaults.Document,
            Client = run.Field("client", "Client settings of every worker.").Nested(ClientSpecFields.Read)
                ?.Over(Defaults.Client) ?? Defaults.Client,
            WorkerOverrides = run.Field("workerOverrides", "Other client settings for single workers, applied in order.")
                .List(item => item.Nested(ClientSpecFields.ReadOverride)!, 0, RunSpec.MostWorkers) ?? Defaults.WorkerOverrides,
            Container = run.Field("container", "The container that they write to.").Nested(ContainerSpecFields.Read) ?? Defaults.Container,
            LegDuration = run.Field("legDuration", "Time after which a leg takes no more documents.")
                .Duration(RunSpec.ShortestTime, RunSpec.LongestLeg) ?? Defaults.LegDuration,
            Warmup = run.Field("warmup", "Time after the start that is left out of every rate.")
                .Duration(TimeSpan.Zero, RunSpec.LongestWarmup) ?? Defaults.Warmup,
            StartTimeout = run.Field(
                "startTimeout", "How long workers wait for each other before the start; when left out 3 min, and longer above 20 workers.")
                .Duration(RunSpec.ShortestTime, RunSpec.LongestStartTimeout),
            Seed = run.Field("seed", "Seed of the simulated account's latency and faults.")
                .WholeInt(int.MinValue, int.MaxValue) ?? Defaults.Seed,
            Simulation = run.Field("simulation", "Physics of the simulated account; an error with any other.")
                .Nested(SimulationSpecFields.Read),
        };
    }

    public static int? WholeInt(this ISpecValue value, int minimum, int maximum, int step = 1) => (int?)value.Whole(minimum, maximum, step);
}

/// <summary>The fields of a <see cref="WorkloadSpec"/>.</summary>
internal static class WorkloadSpecFields
{
    private static readonly WorkloadSpec Defaults = new();

    public static WorkloadSpec Read(ISpecObject workload) => new()
    {
        Kind = workload.Field("kind",
            "One create or upsert per document, creates in bulk, transactional batches, point reads, queries or deletes of documents that "
                + "are there, or entity group transactions into a table of Azure Table storage.")
            .Choice<WorkloadKind>() ?? Defaults.Kind,
        BatchSize = workload.Field("batchSize",
            $"Documents per batch; with kind batch or tableBatch, there {WorkloadSpec.DefaultBatchSize} when left out, and beside ofRun "
                + "when that run wrote batches.")
            .WholeInt(1, WorkloadSpec.MostBatchSize),
        Bulk = workload.Field("bulk", "Whether the SDK groups reads or deletes by physical partition.").Flag() ?? Defaults.Bulk,
        Preload = workload.Field("preload",
            "Documents that reads, queries and deletes choose from, written before the start; as many as documents when left out.")
            .Whole(1, RunSpec.MostDocuments),
        OfRun = workload.Field("ofRun", "The run whose documents are in the named container.").Text(RunIds.Form),
        Query = workload.Field("query", "The query; only with kind query.").Nested(Query),
        ThinkTime = workload.Field("thinkTime", "How long an operation loop waits after each operation.")
            .Duration(TimeSpan.Zero, WorkloadSpec.LongestThinkTime) ?? Defaults.ThinkTime,
        RequestUnitRate = workload.Field("requestUnitRate",
            "RU/s that all workers together use at most, whatever else says the load; no such limit when left out.")
            .Number(1, WorkloadSpec.MostRequestUnitRate),
        MaxRequestUnitShare = workload.Field("maxRequestUnitShare",
            "Share of the container's RU/s that all workers together use at most, for a run beside live traffic; no such limit when left "
                + "out.").Number(0, 1, aboveMinimum: true),
        Steps = workload.Field("steps", "Changes of the load, one after the other; the run ends after the last one.")
            .List(item => item.Nested(Step)!, 1, WorkloadSpec.MostSteps),
    };

    private static QuerySpec Query(ISpecObject query) => new()
    {
        Text = query.Required("text", "Such as SELECT * FROM c WHERE c.ownerId = @owner.")
            .Text(TextForm.Filled(QuerySpec.LongestText)) ?? "",
        Parameters = query.Field("parameters", "Values of the text's parameters.")
            .List(item => item.Nested(Parameter)!, 0, QuerySpec.MostParameters),
        MaxConcurrency = query.Field("maxConcurrency",
            "Physical partitions asked at once: -1 as the SDK likes, 0 one after the other; the SDK's default when left out.")
            .WholeInt(-1, QuerySpec.MostConcurrency),
        PartitionKey = query.Field("partitionKey",
            "The one partition key that is asked for, such as {{key}}; all partitions when left out.")
            .Text(TextForm.Filled(QuerySpec.LongestValue)),
        PageSize = query.Field("pageSize", "Documents per page; the SDK's default when left out.")
            .WholeInt(1, QuerySpec.MostPageSize),
    };

    private static QueryParameterSpec Parameter(ISpecObject parameter) => new()
    {
        Name = parameter.Required("name", "Such as @owner.").Text(TextForm.ParameterName) ?? "",
        Value = parameter.Required("value",
            "A text, perhaps with placeholders such as {{key}} or {{field:ownerId}} of the document that the query addresses, a number, or "
                + "a truth value.").Scalar(QuerySpec.LongestValue) ?? "0",
    };

    private static StepSpec Step(ISpecObject step) => new()
    {
        Users = step.Field("users", "Operations in flight over all workers.").WholeInt(0, ClientSpec.MostConcurrency),
        Concurrency = step.Field("concurrency", "Operations in flight per worker.").WholeInt(0, ClientSpec.MostConcurrency),
        Rate = step.Field("rate", "Open loop: documents per second and worker.").Number(0, ClientSpec.MostRate, aboveMinimum: true),
        Duration = step.Required("duration", "How long the step lasts.")
            .Duration(StepSpec.Shortest, StepSpec.Longest) ?? StepSpec.Shortest,
    };
}

/// <summary>The fields of a <see cref="ClientSpec"/>, and of a <see cref="WorkerOverride"/>.</summary>
internal static class ClientSpecFields
{
    public static ClientSpec Read(ISpecObject client) => new()
    {
        ConnectionMode = client.Field("connectionMode", "Gateway is HTTPS, Direct is TCP to the replicas.").Choice<ConnectionMode>(),
        Concurrency = client.Field("concurrency",
            $"Operations in flight per worker; {ClientSpec.DefaultConcurrency} when left out, in bulk {ClientSpec.DefaultBulkConcurrency}.")
            .WholeInt(1, ClientSpec.MostConcurrency),
        Consistency = client.Field("consistency", "Never stronger than the account's, which holds when left out.")
            .Choice<ConsistencyLevel>(),
        MaxConnections = client.Field("maxConnections",
            "GatewayModeMaxConnectionLimit in Gateway, MaxTcpConnectionsPerEndpoint in Direct; the SDK's default when left out.")
            .WholeInt(1, ClientSpec.MostConnections),
        ContentResponseOnWrite = client.Field("contentResponseOnWrite", "Whether writes return the document.").Flag(),
        Rate = client.Field("rate", "Open loop: documents per second and worker. A closed loop when left out.")
            .Number(0, ClientSpec.MostRate, aboveMinimum: true),
        Cores = client.Field("cores", "Processor cores that each worker process is bound to on the dev box; all when left out.")
            .WholeInt(1, ClientSpec.MostCores),
    };

    public static WorkerOverride ReadOverride(ISpecObject entry) => new()
    {
        Workers = entry.Required("workers", "Indices of the workers, from 0.")
            .List(item => item.WholeInt(0, RunSpec.MostWorkers - 1) ?? 0, 1, RunSpec.MostWorkers, unique: true) ?? [],
        Client = entry.Required("client", "The settings that differ.").Nested(Read) ?? new ClientSpec(),
    };
}

/// <summary>The fields of a <see cref="ContainerSpec"/>.</summary>
internal static class ContainerSpecFields
{
    private static readonly ContainerSpec Defaults = new();

    /// <summary>Fields that only a container of the run's own can have, in the order in which they are named.</summary>
    public static readonly IReadOnlyList<string> OfOwnContainer = ["throughput", "autoscale", "indexing", "excludedPaths", "keep"];

    public static ContainerSpec Read(ISpecObject container) => new()
    {
        Database = container.Field("database", "Made when it does not exist.").Text(TextForm.ResourceName) ?? Defaults.Database,
        Name = container.Field("name", "An existing container, used as it is. Without it the run makes run-{id} and deletes it at the end.")
            .Text(TextForm.ResourceName),
        Throughput = container.Field(
            "throughput", "RU/s of the run's own container, the maximum with autoscale (then 1000 and more in steps of 1000).")
            .WholeInt(ContainerSpec.LeastThroughput, ContainerSpec.MostThroughput, step: 100) ?? Defaults.Throughput,
        Autoscale = container.Field("autoscale", "Whether the throughput scales by itself.").Flag() ?? Defaults.Autoscale,
        PartitionKeyPath = container.Field("partitionKeyPath",
            "The property that is the partition key; the document kind's own when left out.").Text(TextForm.PropertyPath),
        Indexing = container.Field("indexing", "Indexing mode of the run's own container.").Choice<IndexingMode>() ?? Defaults.Indexing,
        ExcludedPaths = container.Field("excludedPaths", "Index paths to leave out, such as /SomeText/? or /*.")
            .List(item => item.Text(TextForm.IndexPath)!, 0, ContainerSpec.MostExcludedPaths, unique: true) ?? Defaults.ExcludedPaths,
        Keep = container.Field("keep", "Whether the run's own container stays after the run.").Flag() ?? Defaults.Keep,
    };
}

/// <summary>The fields of a <see cref="DocumentSpec"/>.</summary>
internal static class DocumentSpecFields
{
    private static readonly DocumentSpec Defaults = new();

    public static DocumentSpec Read(ISpecObject document) => new()
    {
        Kind = document.Field("kind", EnumNames<DocumentKind>.Help).Choice<DocumentKind>() ?? Defaults.Kind,
        Csv = document.Field("csv", "Of flights: a CSV file with a header; generated rows when left out.")
            .Text(TextForm.Filled(DocumentSpec.LongestPath)),
        Columns = document.Field("columns", "Of flights: columns that become properties, besides the key column; all when left out.")
            .List(item => item.Text(TextForm.ColumnName)!, 1, DocumentSpec.MostColumns, unique: true),
        KeyColumn = document.Field("keyColumn",
            $"Of flights: the column that is the partition key and groups batches; {FlightColumns.DefaultKey} when left out.")
            .Text(TextForm.ColumnName),
        OnBrokenRow = document.Field("onBrokenRow", "Beside csv: whether broken rows are skipped or stop the run; stop when left out.")
            .Choice<BrokenRowRule>(),
        Template = document.Field("template",
            "Of template: a JSON object; in its texts {{number}}, {{guid}}, {{id}}, {{key}}, {{random:int:1:100}}, {{random:number:0:1}}, "
                + "{{random:text:12}}, {{random:bool}} and {{pick:a,b,c}} are replaced.")
            .RawObject(DocumentSpec.LongestTemplate),
    };
}
