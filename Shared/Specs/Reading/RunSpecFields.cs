using ScaleOut.Validation;

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
