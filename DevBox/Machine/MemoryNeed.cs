namespace ScaleOut.DevBox.Machine;

/// <summary>Memory that the processes of a simulated run take at their peak, computed from its spec.</summary>
internal sealed record MemoryNeed
{
    private const int Samples = 200;

    /// <summary>Peak memory of a worker. The measured peaks were 148 to 250 MiB, and in bulk mode 216 to 326 MiB.</summary>
    private const long WorkerPeak = 200L << 20;

    private const long BulkWorkerPeak = 320L << 20;

    /// <summary>The spec's field that says how many documents there are.</summary>
    public required string Field { get; init; }

    /// <summary>Documents that the account holds at once.</summary>
    public required long Documents { get; init; }

    /// <summary>Mean size of their JSON.</summary>
    public required double BodyBytes { get; init; }

    /// <summary>Bytes of the simulated account's process.</summary>
    public required long AccountBytes { get; init; }

    public required long WorkerBytes { get; init; }

    /// <summary>Documents that the account could hold on this machine.</summary>
    public required long MaxDocuments { get; init; }

    /// <summary>Bytes of this machine, or of the container that the program runs in.</summary>
    public static long Available => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>The need of a run that has a simulated account of its own.</summary>
    /// <exception cref="DocumentException">Its documents cannot be made.</exception>
    public static MemoryNeed From(RunSpec spec)
    {
        var simulation = spec.Simulation ?? new SimulationSpec();
        var (partitions, moving) = (simulation.PartitionsFor(spec.Container), simulation.MovingPartitions());
        var (documents, bytes) = (DocumentsOf(spec, simulation, partitions), BodyBytesOf(spec));
        return new MemoryNeed
        {
            Field = spec.Workload is { Mix: null, NeedsDocuments: true, WrittenByAction: 0, Preload: not null }
                ? "workload.preload" : "documents",
            Documents = documents,
            BodyBytes = bytes,
            AccountBytes = PeakMemoryEstimate.From(documents, bytes, partitions, moving),
            WorkerBytes = spec.Workers * BytesOfWorker(spec),
            MaxDocuments = PeakMemoryEstimate.MaxDocumentsIn(Available, bytes, partitions, moving),
        };
    }

    /// <summary>The largest need of runs that go one after the other; null if none has a simulated account.</summary>
    public static MemoryNeed? Largest(IEnumerable<RunSpec> runs) =>
        runs.Where(run => !run.Workload.Kind.UsesTables()).Select(From).MaxBy(need => need.AccountBytes);

    /// <summary>Such as <c>about 396 MiB in the simulated account and 800 MiB in the workers, of 23.4 GiB</c>.</summary>
    public string Describe() =>
        $"about {Numbers.Memory(AccountBytes)} in the simulated account and {Numbers.Memory(WorkerBytes)} in the workers, "
        + $"of {Numbers.Memory(Available)}";

    /// <summary>Why the account's documents do not fit into this machine, and what to do; null when they do.</summary>
    public string? Excess() => AccountBytes <= Available
        ? null
        : $"{Numbers.Count(Documents)} documents of about {Numbers.Count(BodyBytes)} bytes need about "
            + $"{Numbers.Memory(AccountBytes)} "
            + $"of memory in the simulated account, and this machine has {Numbers.Memory(Available)}: at most about "
            + $"{Numbers.Count(Rounded(MaxDocuments))} such documents fit, and a real account (--account) holds any number";

    /// <summary>Why a run's workers do not fit into this machine, and what to do; null when they do.</summary>
    /// <param name="accountBytes">What its simulated account needs; 0 for another account.</param>
    public static string? WorkerExcess(RunSpec spec, long accountBytes)
    {
        var (workers, fit) = (spec.Workers * BytesOfWorker(spec), Math.Max(0, (Available - accountBytes) / BytesOfWorker(spec)));
        return spec.Workers <= fit
            ? null
            : $"the processes of {Words.Amount(spec.Workers, "worker")} need about "
                + $"{Numbers.Memory(workers)} of memory"
                + (accountBytes > 0 ? $" beside {Numbers.Memory(accountBytes)} of the simulated account" : "")
                + $", and this machine has {Numbers.Memory(Available)}: at most {Numbers.Count(fit)} fit. Use fewer workers with "
                + "more operations in flight (client.concurrency), or deploy to Azure, where each worker has an instance";
    }

    private static long BytesOfWorker(RunSpec spec) => spec.Workload.UsesBulk ? BulkWorkerPeak : WorkerPeak;

    private static long DocumentsOf(RunSpec spec, SimulationSpec simulation, int partitions)
    {
        var workload = spec.Workload;
        var before = workload is { Mix: null, NeedsDocuments: true } ? workload.PreloadOf(spec.Documents) : 0;
        if (before > 0 && workload.WrittenByAction == 0)
            return before;
        return before + (OperationsOf(spec, simulation, partitions) * Math.Max(1, workload.WrittenByAction));
    }

    /// <summary>Operations of a run, at most.</summary>
    private static long OperationsOf(RunSpec spec, SimulationSpec simulation, int partitions)
    {
        if (spec.Workload.StepsDuration is not { } duration)
            return spec.Documents;
        // The last step ends the run even if documents are left. The RU/s bound how many can be written by then.
        var charge = RunEstimate.From(spec, RunTarget.SimulatedAccount).RequestUnits / spec.Documents;
        var burst = simulation.Burst ? partitions * SimulationSpec.BurstRequestUnitsPerSecond : 0;
        var perSecond = Math.Max(spec.Container.Throughput, burst) / charge;
        return (long)Math.Min(spec.Documents, perSecond * duration.TotalSeconds);
    }

    /// <summary>Mean size of some documents, made as the run makes them.</summary>
    private static double BodyBytesOf(RunSpec spec)
    {
        var source = DocumentSources.For(spec, "run");
        var numbers = Math.Min(Samples, spec.Documents);
        return DocumentSources.SizesOf(source, Enumerable.Range(0, (int)numbers).Select(sample => sample * (spec.Documents / numbers)))
            .Average();
    }

    /// <summary>Rounds down to two digits, which is enough for an estimate.</summary>
    private static long Rounded(long value)
    {
        var unit = 1L;
        while (value / unit >= 100)
            unit *= 10;
        return value / unit * unit;
    }
}
