namespace ScaleOut.Costs;

/// <summary>A service that is billed by what a run uses of it, besides throughput and instances.</summary>
/// <param name="Name">Of the part of a cost.</param>
/// <param name="Unit">Such as <c>GB</c>; empty for a number of calls.</param>
/// <param name="Per">How many units the price is for.</param>
/// <param name="Price">Null if a price file does not give it.</param>
/// <param name="Quantity">How many units a run uses.</param>
internal sealed record Meter(string Name, string Unit, double Per, Func<PriceList, double?> Price, Func<RunUsage, double> Quantity);

/// <summary>The meters: costs and their tables have each of them.</summary>
internal static class Meters
{
    /// <summary>In the order in which a cost shows them.</summary>
    public static readonly IReadOnlyList<Meter> All =
    [
        new("Executions of functions", "", 1e6, prices => prices.MillionExecutions, use => use.Executions),
        new("Scheduler actions", "", 1e6, prices => prices.MillionSchedulerActions, use => use.SchedulerActions),
        new("Blob writes", "", 1e4, prices => prices.TenThousandStorageWrites, use => use.StorageWrites),
        new("Blob reads", "", 1e4, prices => prices.TenThousandStorageReads, use => use.StorageReads),
        new("Queue operations", "", 1e4, prices => prices.TenThousandQueueOperations, use => use.QueueOperations),
        new("Telemetry", "GB", 1, prices => prices.TelemetryGigabyte, use => use.TelemetryGigabytes),
    ];
}
