using System.Collections.Immutable;

namespace ScaleOut.Analysis.Costs;

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

    /// <summary>What it consists of, throughput and instances, then all <see cref="Meters"/>.</summary>
    public required IReadOnlyList<CostItem> Items { get; init; }

    /// <summary>Where the prices are from; null when their file does not say.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Source { get; init; }

    /// <summary>The cost of runs that go one after the other.</summary>
    /// <param name="runs">Specs with the seconds that each takes.</param>
    public static RunCost From(PriceList prices, IEnumerable<(RunSpec Spec, double Seconds)> runs)
    {
        var usage = runs.Select(run => RunUsage.From(run.Spec, run.Seconds)).ToList();
        CostItem[] items =
        [
            Item("Provisioned throughput", "RU/s x h", use => use.ThroughputHours, prices.RequestUnitPerSecondHour),
            Item("Instances", "GB-s", use => use.InstanceSeconds * prices.InstanceGigabytes, prices.GigabyteSecond),
            .. Meters.All.Select(meter => Item(meter.Name, meter.Unit, meter.Quantity, prices.PriceOf(meter))),
        ];
        return new RunCost
        {
            Currency = prices.Currency,
            Amount = Round(items.Sum(item => item.Amount ?? 0)),
            Items = items,
            Source = prices.Source,
        };

        CostItem Item(string name, string unit, Func<RunUsage, double> quantity, double? price)
        {
            var used = usage.Sum(quantity);
            return new CostItem(name, Round(used), unit, price is { } one ? Round(used * one) : null);
        }
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

    /// <summary>Prices of <see cref="Meters"/> by their fields; those that are not given are missing.</summary>
    public ImmutableDictionary<string, double> Others { get; init; } = ImmutableDictionary<string, double>.Empty;

    /// <summary>Where the prices are from, shown beside the cost; null when the file does not say.</summary>
    public string? Source { get; init; }

    /// <summary>Price of one worker instance for a second.</summary>
    public double InstanceSecond => GigabyteSecond * InstanceGigabytes;

    /// <summary>Price of one unit of a meter; null when it is not given.</summary>
    public double? PriceOf(Meter meter)
    {
        return Others.TryGetValue(meter.Field, out var price) ? price / meter.Per : null;
    }
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
        Others = Meters.All
            .Select(meter => (meter.Field, Price: prices.Field(meter.Field, meter.About).Number(0, HighestPrice)))
            .Where(meter => meter.Price is not null)
            .ToImmutableDictionary(meter => meter.Field, meter => meter.Price!.Value),
        Source = prices.Field("source", "Where the prices are from.").Text(TextForm.Free(200)),
    };
}
