namespace ScaleOut.Costs;

/// <summary>
/// What a run, or several, cost in Azure at the prices of a price file. Free grants, reservations and the storage of documents are not in
/// it.
/// </summary>
public sealed record RunCost
{
    /// <summary>Of the prices.</summary>
    public required string Currency { get; init; }

    /// <summary>Sum of the items that have an amount, rounded to 0.0001.</summary>
    public required double Amount { get; init; }

    /// <summary>Names of the items that are not in the sum, because the price file has no price for them.</summary>
    public IReadOnlyList<string> Without { get; init; } = [];

    /// <summary>What the sum is called, such as <c>In all without scheduler actions</c>; more than two items are only counted.</summary>
    [JsonIgnore]
    public string SumText => Without.Count switch
    {
        0 => "In all",
        <= 2 => $"In all without {string.Join(" and ", Without.Select(name => $"{char.ToLowerInvariant(name[0])}{name[1..]}"))}",
        _ => $"In all without {Without.Count} items",
    };

    /// <summary>What it consists of, throughput and instances, then all <see cref="Meters"/>.</summary>
    public required IReadOnlyList<CostItem> Items { get; init; }

    /// <summary>Where the prices are from; null when their file does not say.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Source { get; init; }

    /// <summary>The cost of runs that go one after the other.</summary>
    /// <param name="runs">Specs with the seconds that each takes.</param>
    public static RunCost From(PriceList prices, IEnumerable<(RunSpec Spec, double Seconds)> runs)
    {
        var all = runs.ToList();
        var usage = all.Select(run => RunUsage.From(run.Spec, run.Seconds)).ToList();
        var readyGigabyteSeconds = prices.AlwaysReadyInstances * prices.InstanceGigabytes * all.Sum(run => run.Seconds);
        CostItem[] items =
        [
            Item("Provisioned throughput", "RU/s x h", use => use.ThroughputHours, prices.RequestUnitPerSecondHour),
            Item("Instances", "GB-s", use => use.InstanceSeconds * prices.InstanceGigabytes, prices.GigabyteSecond),
            .. readyGigabyteSeconds > 0
                ? [Billed("Always-ready instances", readyGigabyteSeconds, "GB-s", prices.AlwaysReadyGigabyteSecond)]
                : Array.Empty<CostItem>(),
            .. Meters.All.Select(meter => Item(meter.Name, meter.Unit, meter.Quantity, meter.Price(prices) / meter.Per)),
        ];
        return new RunCost
        {
            Currency = prices.Currency,
            Amount = Round(items.Sum(item => item.Amount ?? 0)),
            Items = items,
            Without = [.. items.Where(item => item.Amount is null).Select(item => item.Name)],
            Source = prices.Source,
        };

        CostItem Item(string name, string unit, Func<RunUsage, double> quantity, double? price) =>
            Billed(name, usage.Sum(quantity), unit, price);

        static CostItem Billed(string name, double quantity, string unit, double? price) =>
            new(name, Round(quantity), unit, price is { } one ? Round(quantity * one) : null);
    }

    private static double Round(double value) => Math.Round(value, 4);
}

/// <summary>A part of a <see cref="RunCost"/>.</summary>
/// <param name="Quantity">How much of it is used.</param>
/// <param name="Unit">Such as <c>GB-s</c>; empty for a number of calls.</param>
/// <param name="Amount">In the currency; null when the price file has no price for it.</param>
public sealed record CostItem(string Name, double Quantity, string Unit, double? Amount);

/// <summary>
/// What the services charge, from a price file: prices differ by region and contract, so none are built into the program. A price that is
/// not given leaves its part of a cost without an amount.
/// </summary>
public sealed record PriceList
{
    private const double MaxPrice = 1_000_000;

    [SpecField("Such as EUR.", Form = nameof(TextForm.Currency))]
    public required string Currency { get; init; }

    /// <summary>Price lists mostly give it for 100 RU/s. Autoscale is billed at 1.5 times of it.</summary>
    [SpecField("Price of one provisioned RU/s for an hour.", Min = 0, Max = MaxPrice)]
    public required double RequestUnitPerSecondHour { get; init; }

    [SpecField("Price of one gigabyte of an instance for a second in which it works.", Min = 0, Max = MaxPrice)]
    public required double GigabyteSecond { get; init; }

    [SpecField("Memory of an instance, GB.", Min = 0.5, Max = 1_024)]
    public double InstanceGigabytes { get; init; } = 2;

    [SpecField("Instances that are kept warm.", Min = 0, Max = 1_000)]
    public int AlwaysReadyInstances { get; init; }

    [SpecField("Price of one gigabyte of an instance that is kept warm for a second, at work or not.", Min = 0, Max = MaxPrice)]
    public double? AlwaysReadyGigabyteSecond { get; init; }

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

    [SpecField("Price of a gigabyte of telemetry.", Min = 0, Max = MaxPrice)]
    public double? TelemetryGigabyte { get; init; }

    [SpecField("Price of a gigabyte of documents and index that a container keeps for a month.", Min = 0, Max = MaxPrice)]
    public double? StorageGigabyteMonth { get; init; }

    [SpecField("Where the prices are from.", MaxLength = 200)]
    public string? Source { get; init; }

    /// <summary>Price of one worker instance for a second.</summary>
    public double InstanceSecond => GigabyteSecond * InstanceGigabytes;

    /// <summary>
    /// Reads the text of a price file, such as <c>{"currency": "EUR", "requestUnitPerSecondHour": 0.00007, "gigabyteSecond": 0.00003}</c>,
    /// and names everything that is wrong with it at once. No text makes it throw.
    /// </summary>
    public static ReadResult<PriceList> Read(string text) => new SpecReader<PriceList>("a price file", (_, _) => { }).ReadText(text);
}
