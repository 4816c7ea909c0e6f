using System.Text.Json.Serialization;
using ScaleOut.Specs;

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
    /// <param name="prices">The prices.</param>
    /// <param name="runs">Specs with the seconds that each takes.</param>
    public static RunCost From(PriceList prices, IEnumerable<(RunSpec Spec, double Seconds)> runs)
    {
        ArgumentNullException.ThrowIfNull(prices);
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
/// <param name="Name">What is billed.</param>
/// <param name="Quantity">How much of it is used.</param>
/// <param name="Unit">Such as <c>GB-s</c>; empty for a number of calls.</param>
/// <param name="Amount">In the currency; null when the price file has no price for it.</param>
public sealed record CostItem(string Name, double Quantity, string Unit, double? Amount);
