namespace ScaleOut.Costs;

/// <summary>
/// What the services charge, from a price file: prices differ by region and contract, so none are built into the program. A price that is not given leaves its part
/// of a cost without an amount.
/// </summary>
public sealed record PriceList
{
    /// <summary>Such as <c>EUR</c>; at most 10 characters.</summary>
    public required string Currency { get; init; }

    /// <summary>Price of one provisioned RU/s for an hour, 0 and more. Price lists mostly give it for 100 RU/s. Autoscale is billed at 1.5 times of it.</summary>
    public required double RequestUnitPerSecondHour { get; init; }

    /// <summary>Price of one gigabyte of an instance for a second in which it works, 0 and more.</summary>
    public required double GigabyteSecond { get; init; }

    /// <summary>Memory of an instance, GB. Default 2.</summary>
    public double InstanceGigabytes { get; init; } = 2;

    /// <summary>Price of a million executions of functions; null when it is not given, as for the following.</summary>
    public double? MillionExecutions { get; init; }

    /// <summary>Price of a million actions of the Durable Task Scheduler.</summary>
    public double? MillionSchedulerActions { get; init; }

    /// <summary>Price of ten thousand writes and lists of blobs.</summary>
    public double? TenThousandStorageWrites { get; init; }

    /// <summary>Price of ten thousand reads of blobs.</summary>
    public double? TenThousandStorageReads { get; init; }

    /// <summary>Price of ten thousand operations of a queue.</summary>
    public double? TenThousandQueueOperations { get; init; }

    /// <summary>Price of a gigabyte of telemetry.</summary>
    public double? TelemetryGigabyte { get; init; }

    /// <summary>Where the prices are from, shown beside the cost; null when the file does not say.</summary>
    public string? Source { get; init; }

    /// <summary>Price of one worker instance for a second.</summary>
    public double InstanceSecond => GigabyteSecond * InstanceGigabytes;
}
