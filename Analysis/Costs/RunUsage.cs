using ScaleOut.Progress;

namespace ScaleOut.Analysis.Costs;

/// <summary>
/// What a run uses of billed services in Azure, by its spec and its duration. Throughput, instances and scheduler actions follow from how
/// a run works. Storage and telemetry are estimated from the number of legs, progress messages and records. The sizes of records are those
/// seen in recorded telemetry.
/// </summary>
public sealed record RunUsage
{
    /// <summary>
    /// Share of the default start timeout in which instances start and wait for each other. It amounts to a minute up to 20 workers, and
    /// one second more for each further worker, up to five minutes.
    /// </summary>
    private const double StartShare = 1.0 / 3;

    public const double SecondsPerHour = 3_600;
    public const double SecondsPerDay = 24 * SecondsPerHour;

    /// <summary>Scheduler actions of an activity or child orchestration: one starts it, one processes its result.</summary>
    private const int ActionsPerTask = 2;

    /// <summary>Admission, preparation, verification, report, clean-up and the mark of the end.</summary>
    private const int ActivitiesPerRun = 6;

    private const int QueueOperationsPerMessage = 3;
    private const int StorageWritesPerLeg = 2;
    private const int StorageReadsPerLeg = 4;
    private const int StorageReadsPerMessage = 2;
    private const int StorageWritesPerRun = 20;
    private const int StorageReadsPerRun = 50;
    private const double IntervalRecordBytes = 2_000;
    private const double PartitionRecordBytes = 1_000;
    private const double OperationRecordBytes = 1_000;

    /// <summary>
    /// RU/s of the container that the run creates, times its hours, rounded up. Autoscale counts 1.5 times. 0 for an existing container,
    /// for one that shares the throughput of its database, and for tables.
    /// </summary>
    public required double ThroughputHours { get; init; }

    /// <summary>Seconds of worker instances, their start included, and of one more instance that reads their progress messages.</summary>
    public required double InstanceSeconds { get; init; }

    public required double Executions { get; init; }

    /// <summary>Messages that the Durable Task Scheduler dispatches.</summary>
    public required double SchedulerActions { get; init; }

    public required double StorageWrites { get; init; }

    public required double StorageReads { get; init; }

    public required double QueueOperations { get; init; }

    /// <summary>
    /// Batches that a run writes to tables; 0 for containers. The count at the end is left out; it reads 1,000 rows at a time.
    /// </summary>
    public required double TableTransactions { get; init; }

    /// <summary>With as many records of slow operations as a run may send.</summary>
    public required double TelemetryGigabytes { get; init; }

    /// <summary>If no operation is slow.</summary>
    public required double LeastTelemetryGigabytes { get; init; }

    /// <param name="seconds">Time from the run's start to the end of its last worker.</param>
    public static RunUsage From(RunSpec spec, double seconds)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(seconds);
        var (workers, container) = (spec.Workers, spec.Container);
        var legsPerWorker = Math.Max(1, Math.Ceiling(seconds / spec.LegDuration.TotalSeconds));
        var legs = workers * legsPerWorker;
        // A worker sends a message every interval, and one more at the end of each leg.
        var messages = legs + (workers * Math.Ceiling(seconds / ProgressInterval.For(workers).TotalSeconds));
        var actions = Actions(workers, legsPerWorker);
        var startSeconds = StartShare * (spec with { StartTimeout = null }).StartTimeoutInEffect().TotalSeconds;
        var intervals = messages;
        var partitions = RunEstimate.PartitionsOf(spec);
        var usesTables = spec.Workload.Kind.UsesTables();
        var slowRecords = Math.Min(spec.Documents, TelemetrySampling.SlowOperationsPerSecond * seconds);
        var leastTelemetry = ((intervals * (IntervalRecordBytes + (partitions * PartitionRecordBytes)))
            + ((double)spec.Documents / TelemetrySampling.OperationsPerRecord * OperationRecordBytes)) / 1e9;
        return new RunUsage
        {
            ThroughputHours = container is { Name: null, SharedThroughput: false } && !usesTables
                ? BilledThroughput(container) * Math.Max(1, Math.Ceiling(seconds / SecondsPerHour))
                : 0,
            InstanceSeconds = (workers * (seconds + startSeconds)) + seconds,
            Executions = actions + messages,
            SchedulerActions = actions,
            StorageWrites = StorageWritesPerRun + workers + (legs * StorageWritesPerLeg) + messages,
            // A leg reads once a second whether the run is to stop.
            StorageReads = StorageReadsPerRun + (workers * (seconds + startSeconds)) + (legs * StorageReadsPerLeg)
                + (messages * StorageReadsPerMessage),
            QueueOperations = messages * QueueOperationsPerMessage,
            TableTransactions = usesTables ? Math.Ceiling((double)spec.Documents / spec.Workload.DocumentsPerOperation) : 0,
            TelemetryGigabytes = leastTelemetry + (slowRecords * OperationRecordBytes / 1e9),
            LeastTelemetryGigabytes = leastTelemetry,
        };
    }

    /// <summary>RU/s of fixed throughput that would cost the same: those of autoscale count 1.5 times.</summary>
    public static double BilledThroughput(ContainerSpec container) =>
        container.HighestThroughput * (container.Autoscale ? PriceList.AutoscaleFactor : 1);

    private static double Actions(int workers, double legsPerWorker)
    {
        var groups = workers > GroupOrchestrator.Size ? Math.Ceiling((double)workers / GroupOrchestrator.Size) : 0;
        var continued = workers * Math.Floor((legsPerWorker - 1) / WorkerOrchestrator.LegsPerTurn);
        return 1 + (ActionsPerTask * (ActivitiesPerRun + groups + workers + (workers * legsPerWorker))) + continued;
    }
}
