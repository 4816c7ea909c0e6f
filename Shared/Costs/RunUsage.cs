using ScaleOut.Progress;

namespace ScaleOut.Costs;

/// <summary>
/// What a run uses of billed services in Azure, from its spec and its time. Throughput, instances and scheduler actions follow from how a
/// run works; storage and telemetry are estimates by the number of legs, progress messages and records, whose sizes are those of recorded
/// ones.
/// </summary>
public sealed record RunUsage
{
    /// <summary>
    /// Part of the default start timeout that instances take to start and wait for each other: a minute up to 20 workers, and a second
    /// more for each further one, up to five minutes.
    /// </summary>
    private const double StartShare = 1.0 / 3;

    public const double SecondsPerHour = 3_600;

    /// <summary>Price of autoscale throughput over fixed throughput.</summary>
    public const double AutoscaleFactor = 1.5;

    /// <summary>Actions of an activity or child orchestration: one to start it, one to process its result.</summary>
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

    /// <summary>RU/s times the hours begun, of the container that the run makes; autoscale counts 1.5 times.</summary>
    public required double ThroughputHours { get; init; }

    /// <summary>Seconds of worker instances, their start included, and of one more that takes their progress.</summary>
    public required double InstanceSeconds { get; init; }

    /// <summary>Executions of functions.</summary>
    public required double Executions { get; init; }

    /// <summary>Messages that the Durable Task Scheduler dispatches.</summary>
    public required double SchedulerActions { get; init; }

    public required double StorageWrites { get; init; }

    public required double StorageReads { get; init; }

    public required double QueueOperations { get; init; }

    public required double TelemetryGigabytes { get; init; }

    /// <summary>What a run uses.</summary>
    /// <param name="seconds">From its start to the end of its last worker.</param>
    public static RunUsage From(RunSpec spec, double seconds)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(seconds);
        var (workers, container) = (spec.Workers, spec.Container);
        var legsPerWorker = Math.Max(1, Math.Ceiling(seconds / spec.LegDuration.TotalSeconds));
        var legs = workers * legsPerWorker;
        // One at the end of each leg beside those of every interval.
        var messages = legs + (workers * Math.Ceiling(seconds / ProgressInterval.For(workers).TotalSeconds));
        var actions = Actions(workers, legsPerWorker);
        var startSeconds = StartShare * (spec with { StartTimeout = null }).StartTimeoutInEffect().TotalSeconds;
        var intervals = messages;
        var partitions = RunEstimate.PartitionsOf(spec);
        return new RunUsage
        {
            ThroughputHours = container.Name is null
                ? container.Throughput * (container.Autoscale ? AutoscaleFactor : 1) * Math.Max(1, Math.Ceiling(seconds / SecondsPerHour))
                : 0,
            InstanceSeconds = (workers * (seconds + startSeconds)) + seconds,
            Executions = actions + messages,
            SchedulerActions = actions,
            StorageWrites = StorageWritesPerRun + workers + (legs * StorageWritesPerLeg) + messages,
            // Each leg looks for the request to stop once a second.
            StorageReads = StorageReadsPerRun + (workers * (seconds + startSeconds)) + (legs * StorageReadsPerLeg)
                + (messages * StorageReadsPerMessage),
            QueueOperations = messages * QueueOperationsPerMessage,
            TelemetryGigabytes = ((intervals * (IntervalRecordBytes + (partitions * PartitionRecordBytes)))
                + ((double)spec.Documents / TelemetrySampling.OperationsPerRecord * OperationRecordBytes)) / 1e9,
        };
    }

    private static double Actions(int workers, double legsPerWorker)
    {
        var groups = workers > GroupOrchestrator.Size ? Math.Ceiling((double)workers / GroupOrchestrator.Size) : 0;
        var continued = workers * Math.Floor((legsPerWorker - 1) / WorkerOrchestrator.LegsPerTurn);
        return 1 + (ActionsPerTask * (ActivitiesPerRun + groups + workers + (workers * legsPerWorker))) + continued;
    }
}
