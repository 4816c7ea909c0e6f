namespace ScaleOut.Analysis.Costs;

/// <summary>
/// What one or several runs cost in Azure at the prices of a price file. Free grants, reservations and the storage of documents are left
/// out.
/// </summary>
public sealed record RunCost
{
    /// <summary>The currency of the price file.</summary>
    public required string Currency { get; init; }

    /// <summary>Sum of the items that have an amount, rounded to 0.0001.</summary>
    public required double Amount { get; init; }

    /// <summary>Names of the items that are not in the sum, because the price file has no price for them.</summary>
    public IReadOnlyList<string> Without { get; init; } = [];

    /// <summary>
    /// Label of the sum as a clause, such as <c>in all without scheduler actions</c>. It names up to two missing items, and only counts
    /// more.
    /// </summary>
    [JsonIgnore]
    public string SumText => Without.Count switch
    {
        0 => "in all",
        <= 2 => $"in all without {string.Join(" and ", Without.Select(name => $"{char.ToLowerInvariant(name[0])}{name[1..]}"))}",
        _ => $"in all without {Without.Count} items",
    };

    /// <summary>The parts of the cost: throughput and instances, then all <see cref="Meters"/> of which something is used.</summary>
    public required IReadOnlyList<CostItem> Items { get; init; }

    /// <summary>Where the prices are from; null if the price file does not say.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Source { get; init; }

    /// <summary>
    /// What the store charges for a million documents (queries: operations) at the rate of the run, in the currency: provisioned throughput
    /// for the time that they take, or transactions of tables. Null without a price. For a container also null without a rate, and if the
    /// container existed before the run.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? StorePerMillion { get; init; }

    /// <summary>The value of <see cref="StorePerMillion"/> at a rate in documents per second.</summary>
    public static double? StorePerMillionAt(PriceList prices, RunSpec spec, double? perSecond)
    {
        var perDocument = spec.Workload.Kind.UsesTables()
            ? prices.TenThousandTableTransactions / 1e4 / spec.Workload.DocumentsPerOperation
            : spec.Container is { Name: null, SharedThroughput: false } && perSecond > 0
                ? RunUsage.BilledThroughput(spec.Container) * prices.RequestUnitPerSecondHour / RunUsage.SecondsPerHour / perSecond
                : null;
        return perDocument * 1e6;
    }

    /// <summary>The cost of runs that go one after the other.</summary>
    /// <param name="runs">Specs with the seconds that each takes.</param>
    public static RunCost From(PriceList prices, IEnumerable<(RunSpec Spec, double Seconds)> runs)
    {
        var all = runs.ToList();
        var usage = all.Select(run => RunUsage.From(run.Spec, run.Seconds)).ToList();
        var readyGigabyteSeconds = prices.AlwaysReadyInstances * prices.InstanceGigabytes * all.Sum(run => run.Seconds);
        // Instances that are kept warm take work before others start.
        var readyWork = prices.AlwaysReadyWorkGigabyteSecond is null
            ? 0
            : prices.InstanceGigabytes * all.Zip(usage, (run, use) =>
                use.InstanceSeconds * Math.Min(1.0, (double)prices.AlwaysReadyInstances / run.Spec.Workers)).Sum();
        CostItem[] items =
        [
            Item("Provisioned throughput", "RU/s x h", use => use.ThroughputHours, prices.RequestUnitPerSecondHour),
            Billed(
                "Instances", (usage.Sum(use => use.InstanceSeconds) * prices.InstanceGigabytes) - readyWork, "GB-s", prices.GigabyteSecond),
            .. readyWork > 0
                ? [Billed("Always-ready instances at work", readyWork, "GB-s", prices.AlwaysReadyWorkGigabyteSecond)]
                : Array.Empty<CostItem>(),
            .. readyGigabyteSeconds > 0
                ? [Billed("Always-ready instances", readyGigabyteSeconds, "GB-s", prices.AlwaysReadyGigabyteSecond)]
                : Array.Empty<CostItem>(),
            .. Meters.All.Where(meter => usage.Sum(meter.Quantity) > 0)
                .Select(meter => Item(meter.Name, meter.Unit, meter.Quantity, meter.Price(prices) / meter.Per)),
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

/// <param name="Unit">Such as <c>GB-s</c>; empty for a number of calls.</param>
/// <param name="Amount">In the currency; null when the price file has no price for it.</param>
public sealed record CostItem(string Name, double Quantity, string Unit, double? Amount);

/// <summary>A service that is billed by what a run uses of it, besides throughput and instances.</summary>
/// <param name="Name">Name of the item in a <see cref="RunCost"/>.</param>
/// <param name="Unit">Such as <c>GB</c>; empty for a number of calls.</param>
/// <param name="Per">Number of units that the price is for.</param>
/// <param name="Price">Returns null if the price file has no price for the service.</param>
/// <param name="Quantity">Returns the number of units that a run uses.</param>
internal sealed record Meter(string Name, string Unit, double Per, Func<PriceList, double?> Price, Func<RunUsage, double> Quantity);

/// <summary>All meters. A cost has an item for each of which the run uses something.</summary>
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
        new("Table transactions", "", 1e4, prices => prices.TenThousandTableTransactions, use => use.TableTransactions),
        new("Telemetry", "GB", 1, prices => prices.TelemetryGigabyte, use => use.TelemetryGigabytes),
    ];
}
