using System.Text.Json;
using ScaleOut.Specs.Reading;
using ScaleOut.Validation;

namespace ScaleOut.Analysis.Costs;

/// <summary>
/// What the services charge, from a price file: prices differ by region and contract, so none are built into the program. A price that is
/// not given leaves its part of a cost without an amount.
/// </summary>
public sealed record PriceList
{
    /// <summary>Such as <c>EUR</c>; at most 10 characters.</summary>
    public required string Currency { get; init; }

    /// <summary>
    /// Price of one provisioned RU/s for an hour, 0 and more. Price lists mostly give it for 100 RU/s. Autoscale is billed at 1.5 times of
    /// it.
    /// </summary>
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

/// <summary>
/// Reads price files, such as <c>{"currency": "EUR", "requestUnitPerSecondHour": 0.00007, "gigabyteSecond": 0.00003}</c>, and names
/// everything that is wrong with one at once. No text makes it throw.
/// </summary>
public static class PriceFile
{
    private const double HighestPrice = 1_000_000;
    private static readonly TextForm Currency = new("a currency such as \"EUR\" (1 to 10 letters)", "^[A-Za-z]{1,10}$", 10);

    /// <summary>Reads the text of a price file.</summary>
    public static ReadResult<PriceList> Read(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var context = new ReadingContext();
        var root = PlanText.Parse(text, context);
        if (context.Errors.Count == 0 && root is null)
            context.Add("", "a price file is a JSON object, not null");
        return context.Result(
            context.Errors.Count > 0 ? null : new ReadingValue(JsonSerializer.SerializeToElement(root), "", context).Nested(Fields));
    }

    private static PriceList Fields(ISpecObject prices) => new()
    {
        Currency = prices.Required("currency", "Such as EUR.").Text(Currency) ?? "",
        RequestUnitPerSecondHour = prices.Required("requestUnitPerSecondHour", "Price of one provisioned RU/s for an hour.")
            .Number(0, HighestPrice)
            ?? 0,
        GigabyteSecond = prices.Required("gigabyteSecond", "Price of one gigabyte of an instance for a second.").Number(0, HighestPrice)
            ?? 0,
        InstanceGigabytes = prices.Field("instanceGigabytes", "Memory of an instance, GB; 2 when left out.").Number(0.5, 1_024) ?? 2,
        MillionExecutions = Price(prices, "millionExecutions", "Price of a million executions of functions."),
        MillionSchedulerActions = Price(prices, "millionSchedulerActions", "Price of a million actions of the Durable Task Scheduler."),
        TenThousandStorageWrites = Price(prices, "tenThousandStorageWrites", "Price of 10,000 writes and lists of blobs."),
        TenThousandStorageReads = Price(prices, "tenThousandStorageReads", "Price of 10,000 reads of blobs."),
        TenThousandQueueOperations = Price(prices, "tenThousandQueueOperations", "Price of 10,000 operations of a queue."),
        TelemetryGigabyte = Price(prices, "telemetryGigabyte", "Price of a gigabyte of telemetry."),
        Source = prices.Field("source", "Where the prices are from.").Text(TextForm.Free(200)),
    };

    private static double? Price(ISpecObject prices, string name, string description) =>
        prices.Field(name, description).Number(0, HighestPrice);
}
