using System.CommandLine;
using System.Text.Json.Nodes;
using ScaleOut.DevBox.Machine;
using ScaleOut.Evidence;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Commands;

/// <summary>The plan and the options that override its fields, as <c>run</c> and <c>validate</c> take them.</summary>
internal sealed class PlanOptions
{
    private readonly Argument<string?> _plan = new("plan.json")
    {
        Description = "The plan to run; without it the defaults: 1,000,000 inserts by 4 workers at 60,000 RU/s.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly IReadOnlyList<PlanOption> _options =
    [
        new("--documents", "documents", "n", "Documents to put, or operations on those that are there (1 to 1,000,000,000)."),
        new("--workers", "workers", "n", "Worker processes (1 to 1,000)."),
        new("--mode", "client.connectionMode", "Direct|Gateway", "How the clients reach the account."),
        new("--concurrency", "client.concurrency", "n", "Operations in flight per worker (default 20, bulk 1,000)."),
        new("--rate", "client.rate", "n", "Open loop: documents per second and worker (default: a closed loop)."),
        new("--cores", "client.cores", "n", "Processor cores that each worker process is bound to (default: all)."),
        new("--workload", "workload.kind", "insert|upsert|bulk|batch|read|query|delete", "What the workers do."),
        new("--population", "workload.population", "n", "Documents that reads, queries and deletes choose from (default: as many as --documents)."),
        new("--of-run", "workload.ofRun", "run id", "The run whose documents are in the container of --container.", isText: true),
        new("--query", "workload.query.text", "text", "The query of --workload query.", isText: true),
        new("--query-key", "workload.query.partitionKey", "text", "The one partition key that it asks for, such as {{key}} (default: all partitions).", isText: true),
        new("--query-concurrency", "workload.query.maxConcurrency", "n", "Physical partitions that it asks at once: -1 as the SDK likes, 0 one after the other."),
        new("--document", "document.kind", "perfTest|device|flights|template", "Which documents there are; a template stands in a plan."),
        new("--csv", "document.csv", "file", "The rows of --document flights (default: generated ones).", isText: true),
        new("--key-column", "document.keyColumn", "column", "The column of --document flights that is the partition key (default Origin).", isText: true),
        new("--on-broken-row", "document.onBrokenRow", "skip|stop", "What becomes of broken rows of --csv (default stop)."),
        new("--batch-size", "workload.batchSize", "n", "Documents per TransactionalBatch (1 to 100)."),
        new("--indexing", "container.indexing", "Consistent|Lazy|None", "Indexing mode of the run's container."),
        new("--throughput", "container.throughput", "RU/s", "Provisioned throughput of the run's container."),
        new("--partitions", "simulation.physicalPartitions", "n", $"Physical partitions of the simulated container (default: one per 6,000 RU/s, at most {SimulationSpec.MostPartitionsUnasked})."),
        new("--latency", "simulation.latency", "none|same-region|cross-region", "Latency of the simulated account (default same-region)."),
        new("--container", "container.name", "id", "An existing container, used as it is."),
        new("--id", "id", "run id", "The run's id (default: made from the time)."),
        new("--seed", "seed", "n", "Seed of all that is random in the simulated account."),
    ];

    public void AddTo(Command command)
    {
        command.Arguments.Add(_plan);
        foreach (var option in _options)
            command.Options.Add(option);
    }

    /// <summary>The plan's file; null when none is given.</summary>
    public string? File(CommandInput input) => input.Value(_plan);

    /// <summary>Names of the options that are given.</summary>
    public IReadOnlyList<string> Given(CommandInput input) => [.. _options.Where(option => input.Value(option) is not null).Select(option => option.Name)];

    /// <summary>Reads the plan with the options over it.</summary>
    /// <exception cref="InputException">All that is wrong with it; of a plan that cannot be read, also all that is wrong with the options.</exception>
    public async Task<RunSpec> ReadAsync(CommandInput input, RunTarget target, CancellationToken cancellationToken)
    {
        var faults = new FaultCollector([]);
        var given = _options.Where(option => input.Value(option) is not null).ToList();
        var edited = false;
        void Edit(JsonObject plan)
        {
            edited = true;
            StoredItem.RemoveHead(plan);
            foreach (var option in given)
                SpecEdit.Set(plan, option.Path, option.ValueOf(input.Value(option)!));
        }

        var file = input.Value(_plan);
        var text = file is null ? "{}" : await faults.TryAsync(() => PlanFile.ReadAsync(file, "plan file", cancellationToken));
        var reading = text is null ? null : RunSpecReader.Read(text, target, Edit);
        faults.Add(reading?.Faults.Select(fault => Describe(fault, file, given)) ?? []);
        if (!edited)
            faults.Add(PlanOption.FaultsOf(given, RunSpecReader.Read("{}", target, Edit).Faults));
        faults.ThrowIfAny();

        var spec = WithFilesOf(reading!.Spec!, file, given);
        faults.Add(MachineChecks.FaultsOf(spec, target).Select(fault => Describe(fault, file, given)));
        faults.ThrowIfAny();
        return spec;
    }

    /// <summary>Paths in a plan file are relative to it, as paths in options are to the current folder.</summary>
    private static RunSpec WithFilesOf(RunSpec spec, string? file, IEnumerable<PlanOption> given)
    {
        if (spec.Document.Csv is not { } csv)
            return spec;
        var folder = file is null || given.Any(option => option.Path == "document.csv") ? "" : Path.GetDirectoryName(file) ?? "";
        return spec with { Document = spec.Document with { Csv = Path.GetFullPath(Path.Combine(folder, csv)) } };
    }

    private static string Describe(SpecFault fault, string? file, IEnumerable<PlanOption> given)
    {
        var sources = PlanOption.SourcesOf(fault, given);
        return sources is not null ? $"{fault} ({sources})"
            : file is null ? fault.ToString()
            : $"{file}: {fault}";
    }
}
