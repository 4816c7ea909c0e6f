using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

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
