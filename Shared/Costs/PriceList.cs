namespace ScaleOut.Costs;

/// <summary>
/// The prices of a price file. Prices differ by region and contract, so none are built into the program. An item of a cost whose price is
/// missing has no amount.
/// </summary>
public sealed record PriceList
{
    /// <summary>Price of autoscale throughput, as a multiple of the price of fixed throughput.</summary>
    public const double AutoscaleFactor = 1.5;

    private const double MaxPrice = 1_000_000;

    [SpecField("Such as EUR.", Form = FormName.Currency)]
    public required string Currency { get; init; }

    /// <summary>Price lists mostly state the price of 100 RU/s. Autoscale costs 1.5 times as much.</summary>
    [SpecField("Price of one provisioned RU/s for an hour.", Min = 0, Max = MaxPrice)]
    public required double RequestUnitPerSecondHour { get; init; }

    /// <summary>In each of the regions. Autoscale costs the same there.</summary>
    [SpecField("Price of one provisioned RU/s for an hour in an account with several write regions.", Min = 0, Max = MaxPrice)]
    public double? MultipleWritesUnitHour { get; init; }

    [SpecField("What a reservation for a year takes off the price of provisioned RU/s, as a share.", Min = 0, Max = 1)]
    public double? ReservedYearDiscount { get; init; }

    [SpecField("What a reservation for three years takes off the price of provisioned RU/s, as a share.", Min = 0, Max = 1)]
    public double? ReservedThreeYearsDiscount { get; init; }

    [SpecField("Price of a million RU of a serverless account.", Min = 0, Max = MaxPrice)]
    public double? MillionServerlessRequestUnits { get; init; }

    [SpecField("Price of one gigabyte of an instance for a second in which it works.", Min = 0, Max = MaxPrice)]
    public required double GigabyteSecond { get; init; }

    [SpecField("Memory of an instance, GB.", Min = 0.5, Max = 1_024)]
    public double InstanceGigabytes { get; init; } = 2;

    [SpecField("Instances that are kept warm.", Min = 0, Max = 1_000)]
    public int AlwaysReadyInstances { get; init; }

    [SpecField("Price of one gigabyte of an instance that is kept warm for a second, at work or not.", Min = 0, Max = MaxPrice)]
    public double? AlwaysReadyGigabyteSecond { get; init; }

    /// <summary>Beside <see cref="AlwaysReadyGigabyteSecond"/>. Null means <see cref="GigabyteSecond"/>.</summary>
    [SpecField("Price of one gigabyte of an instance that is kept warm for a second in which it works.", Min = 0, Max = MaxPrice)]
    public double? AlwaysReadyWorkGigabyteSecond { get; init; }

    [SpecField("Price of a million executions of functions.", Min = 0, Max = MaxPrice)]
    public double? MillionExecutions { get; init; }

    [SpecField("Price of a million actions of the Durable Task Scheduler.", Min = 0, Max = MaxPrice)]
    public double? MillionSchedulerActions { get; init; }

    [SpecField("Price of 10,000 writes and lists of blobs.", Min = 0, Max = MaxPrice)]
    public double? TenThousandStorageWrites { get; init; }

    [SpecField("Price of 10,000 reads of blobs.", Min = 0, Max = MaxPrice)]
    public double? TenThousandStorageReads { get; init; }

    [SpecField("Price of 10,000 operations of a queue.", Min = 0, Max = MaxPrice)]
    public double? TenThousandQueueOperations { get; init; }

    [SpecField("Price of 10,000 transactions of tables; a batch is one.", Min = 0, Max = MaxPrice)]
    public double? TenThousandTableTransactions { get; init; }

    [SpecField("Price of a gigabyte of telemetry.", Min = 0, Max = MaxPrice)]
    public double? TelemetryGigabyte { get; init; }

    [SpecField("Price of a gigabyte of documents and index that a container keeps for a month.", Min = 0, Max = MaxPrice)]
    public double? StorageGigabyteMonth { get; init; }

    [SpecField("Where the prices are from.", MaxLength = 200)]
    public string? Source { get; init; }

    public double InstanceSecond => GigabyteSecond * InstanceGigabytes;

    /// <summary>
    /// Reads the text of a price file, such as <c>{"currency": "EUR", "requestUnitPerSecondHour": 0.00007, "gigabyteSecond": 0.00003}</c>,
    /// and returns all errors together. Never throws, whatever the text.
    /// </summary>
    public static ReadResult<PriceList> Read(string text) => new SpecReader<PriceList>("a price file", (_, _) => { }).ReadText(text);
}
