namespace ScaleOut.Sizing;

/// <summary>A way to buy throughput.</summary>
/// <param name="Name">Such as <c>autoscale</c>.</param>
/// <param name="Amount">Cost of a month, in the currency of the prices.</param>
/// <param name="PaysOff">When it is worth it, against what is cheapest without it.</param>
/// <param name="WhyNot">Why it cannot be had; null if it can.</param>
public sealed record ThroughputOffer(string Name, double Amount, string PaysOff, string? WhyNot = null)
{
    /// <summary>Most RU/s of a physical partition without provisioned RU/s ("Serverless performance").</summary>
    public const double MaxServerlessUnits = 5_000;

    /// <summary>Most gigabytes of a container without provisioned RU/s ("Service quotas").</summary>
    public const double MaxServerlessGigabytes = 1_000;

    private const double SecondsOfMonth = MonthCost.Hours * 3_600;

    /// <param name="autoscale">The bill of autoscale by the rates of the day.</param>
    /// <param name="averageShare">Mean of the day's rates, as a share of the highest.</param>
    internal static IReadOnlyList<ThroughputOffer> From(
        ThroughputBills bills, DailyBill autoscale, double averageShare, MonthCost month)
    {
        var (prices, plan, asFixed) = (bills.Prices, bills.Plan, bills.Fixed);
        var (free, auto) = (plan.FreeUnits, month.AutoscaleWithPeak ?? month.AutoscaleBusy);
        var offers = new List<ThroughputOffer>
        {
            new("fixed", month.FixedThroughput, Beside("more", always: month.BreakEven <= 0, never: month.BreakEven >= 1)),
            new("autoscale", auto, Beside("less", always: month.BreakEven >= 1, never: month.BreakEven <= 0)),
        };
        foreach (var (name, reserved, months) in new[]
        {
            ("reserved for a year", Reservation.OneYear, 12), ("reserved for three years", Reservation.ThreeYears, 36),
        })
        {
            if (AccountPlan.DiscountOf(reserved, prices) is not (> 0 and var discount) || plan.Reserved != Reservation.None)
                continue;
            foreach (var (kind, bill) in new[] { ("fixed", asFixed), ("autoscale", autoscale) })
            {
                if (bill.Split(free, discount).Reserved > 0)
                {
                    offers.Add(new($"{kind}, {name}", bill.Month(free, discount), PaysOff(bill, discount, months)));
                }
            }
        }

        if (bills.Use.Used is { } used && prices.MillionServerlessRequestUnits is { } price)
        {
            var unit = SecondsOfMonth / 1e6 * price;
            offers.Add(new(
                "serverless", Math.Round(used * averageShare * unit, 2),
                $"below a mean of {Numbers.Brief(month.CheapestThroughput / unit)} RU/s; it promises no latency",
                plan.Regions > 1 ? "a serverless account has one region"
                    : plan.IsFreeTier ? "not in the free tier"
                    : bills.Use.WhyNotServerless));
        }

        return [.. offers.OrderBy(one => one.WhyNot is not null).ThenBy(one => one.Amount)];

        string Beside(string than, bool always, bool never) => always ? "whatever the hours use"
            : never ? "never: the other costs no more, whatever the hours use"
            : $"where the hours use {than} than {Numbers.Percent(month.BreakEven)} of the RU/s on average";

        // What is reserved is paid for in all months, and what is beyond it only while it is needed.
        string PaysOff(DailyBill bill, double discount, int months)
        {
            var (reserved, beyond) = bill.Split(free, discount);
            var without = Math.Min(asFixed.Hour(free, 0), autoscale.Hour(free, 0));
            var saved = without - (beyond * bill.UnitHour);
            var needed = saved > 0 ? months * reserved * (1 - discount) * bill.UnitHour / saved : double.PositiveInfinity;
            return needed < months
                ? $"if it is needed for {Numbers.Brief(needed)} of {months} months"
                : "never: the cheapest without a reservation costs no more";
        }
    }
}
