namespace ScaleOut.Sizing;

/// <summary>The sentences and tiles of a result of <c>size</c>.</summary>
internal static class SizeSentences
{
    /// <summary>Smallest surplus of the highest rate that holds that is given as a number, as a share.</summary>
    private const double MinMore = 0.005;

    /// <summary>Factor between the RU/s of other names of the keys from which on they are named.</summary>
    private const double MuchMore = 1.1;

    /// <summary>Name of the figures of a query's charge.</summary>
    public const string QueryName = "a query";

    private static string Longer => Numbers.Percent(ModelError.Latency);

    /// <summary>The fleet and what it costs, in at most two sentences.</summary>
    public static IEnumerable<string> Headline(SizeResult result)
    {
        var fleet = result.Fleet;
        var workers = $"{Words.Amount(fleet.Workers, "worker")} ({SettingOf(fleet)}) on {Numbers.Count((long)fleet.Throughput)} RU/s and "
            + Words.Amount(fleet.Partitions.Count, "partition");
        if (result.Rate is not { } rate)
        {
            yield return $"{workers} {(fleet.Workers == 1 ? "does" : "do")} {Numbers.Brief(fleet.PerSecond)} {UnitOf(result)}/s"
                + $"{Range(fleet.PerSecondRange, "")}, stopped by {Limit(fleet)}.";
            yield return fleet.PromisesLatency ? $"p99 {LatencyOf(fleet)}." : "No latency is promised.";
            yield break;
        }

        var what = $"{Numbers.Brief(rate)} {UnitOf(result)}/s";
        if (result.LoadCost is { } asked)
            what = $"{Numbers.Count(asked.Documents)} documents within {Numbers.About(asked.MaxSeconds ?? asked.Seconds)}, "
                + (asked.MaxSeconds is null ? "" : $"cheapest in {Numbers.About(asked.Seconds)}, ") + $"{what},";
        if (result.Reached != true)
        {
            var holds = result.Frontier.Any(one => one.IsChosen && one.Holds);
            var budget = !holds && fleet.BoundBy is (BoundBy.RequestUnits or BoundBy.Partition) ? ", and more workers do not help" : "";
            yield return $"{what} are not reached{budget}: {result.Unmet}.";
            yield return holds
                ? $"Until then it takes {workers}: {CostOf(result)}."
                : $"The nearest fleet is {workers}.";
            yield break;
        }

        yield return $"{what} take {workers}: {CostOf(result)}{(result is { LoadCost: null, Growth.Adds: true } ? " at first" : "")}.";
        if (Names(result) is { } names)
            yield return names;
    }

    private static string CostOf(SizeResult result) => result.LoadCost is { } load
        ? $"{Numbers.Brief(load.Total)} {result.Cost.Currency} for the load"
        : $"{Numbers.Brief(result.Cost.Total)} {result.Cost.Currency} a month";

    /// <summary>What the fleet does beyond the question: with longer latencies, once grown, and under more load.</summary>
    public static IEnumerable<string> Beyond(SizeResult result)
    {
        if (result is not { Reached: true, Rate: { } rate })
            yield break;
        if (result.LoadCost is { } loaded)
            yield return Afterwards(loaded);
        yield return Margin(result);
        if (result.Growth is { } growth && (growth.IsSoughtAgain || result.GrownCost is not null))
            yield return Growth(growth, result);
        if (result.Load is { } more)
            yield return Doubling(more, rate, UnitOf(result));
        foreach (var figure in result.Basis.Where(one => one.Name.StartsWith(QueryName, StringComparison.Ordinal)))
            yield return $"{Words.Capital(figure.Name)}: {figure.Value}.";
        if (Offers(result) is { } offers)
            yield return offers;
    }

    /// <summary>The rate, and the five figures that are needed first. If no fleet holds the rate, there is no price among them.</summary>
    public static IEnumerable<KeyFigure> Figures(SizeResult result)
    {
        var (fleet, cost, currency) = (result.Fleet, result.Cost, result.Cost.Currency);
        var latency = fleet.PromisesLatency ? $"p99 {Numbers.Brief(fleet.OperationMs.P99)} ms" : "no latency promised";
        yield return new($"{Words.Capital(UnitOf(result))}/s", Numbers.Brief(result.Rate ?? fleet.PerSecond), latency
            + (fleet.PromisesLatency
                ? $", {Numbers.Brief(fleet.OperationMs.P99 * (1 + ModelError.Latency))} ms with latencies {Longer} longer"
                : "")
            + (result.Margin is { Fleet: { } larger, Extra: { } extra }
                ? extra > 0 ? $"; to hold then: {Numbers.Count(larger.Settings.Throughput)} RU/s, {Numbers.Brief(extra)} {currency} more"
                : "; it holds then, too"
                : result.Margin is null ? "" : "; no fleet holds then"), result.Reached == false ? "not reached" : latency);
        yield return new(
            result.Reached == false ? "Nearest fleet" : "Fleet", Words.Amount(fleet.Workers, "worker"), SettingOf(fleet),
            $"{fleet.ConnectionMode}, {fleet.ConcurrencyPerWorker} in flight");
        yield return new(
            "RU/s", Numbers.Count((long)fleet.Throughput),
            $"{Words.Amount(fleet.Partitions.Count, "partition")} of {Numbers.Brief(fleet.Partitions.BudgetPerSecond)} RU/s; "
                + $"{Numbers.Brief(fleet.RequestUnitsPerSecond)} RU/s used", Words.Amount(fleet.Partitions.Count, "partition"));
        if (result.Reached == false)
        {
            yield return new("Missing", "Not reached", result.Unmet ?? "");
            yield break;
        }

        string Money(double amount) => $"{Numbers.Brief(amount)} {currency}";
        if (result.LoadCost is { } load)
            yield return new("The load", Money(load.Total), $"for {Numbers.About(load.Seconds)}");
        yield return new(
            result.LoadCost is null ? "A month today" : "A month after", Money(cost.Total), $"cheapest with {From(cost.Cheapest)}",
            From(cost.Cheapest));
        if (result is { LoadCost: null, Growth: { } growth })
            yield return new(
                "A month grown", result.GrownCost is { } grown ? Money(grown.Total) : growth.Adds ? "No fleet" : "The same",
                growth.Adds ? $"with {Numbers.Brief(growth.Gigabytes)} GB stored" : "nothing is added");
        yield return result is { Load: { } more, Rate: not null }
            ? new(
                "Breaks first", more.Breaks is null ? "Nothing" : Words.Capital(more.Breaks),
                more.Breaks is null ? "up to twice the rate" : $"above {Numbers.Brief(more.HoldsUpTo)} documents/s: {more.Unmet}",
                more.Breaks is null ? null : $"above {Numbers.Brief(more.HoldsUpTo)}/s")
            : new("Bound by", Words.Capital(Words.From(fleet.BoundBy)), $"at {Numbers.Brief(fleet.PerSecond)} documents/s");
    }

    /// <summary>What other ways to buy the RU/s cost; null if none is cheaper.</summary>
    private static string? Offers(SizeResult result)
    {
        var cost = result.Cost;
        var cheaper = cost.Offers.Where(one => one.WhyNot is null && one.Amount < cost.CheapestThroughput).ToList();
        return cheaper.Count == 0 || result.LoadCost is not null ? null
            : $"The RU/s are {Numbers.Brief(cost.CheapestThroughput)} {cost.Currency} of the month with {From(cost.Cheapest)}; "
                + string.Join("; ", cheaper.Select(one => $"{one.Name} {Numbers.Brief(one.Amount)}, {one.PaysOff}")) + ".";
    }

    /// <summary>What a container costs and keeps after a load.</summary>
    public static string Afterwards(LoadCost load) =>
        (load.ThroughputAfterwards is { } units
            ? $"Afterwards go back to {Numbers.Count(units)} RU/s: {load.Because}"
            : $"Afterwards {load.Because}")
        + $". Its {Words.Amount(load.Partitions, "partition")} {(load.Partitions == 1 ? "stays" : "stay")}, each with its part of them.";

    public static string From(ThroughputPurchase purchase) => purchase switch
    {
        ThroughputPurchase.Fixed => "fixed throughput",
        ThroughputPurchase.Autoscale => "autoscale",
        _ => "autoscale by the day",
    };

    /// <summary>A fleet with its cost, such as <c>2 workers on 5,800 RU/s and 1 partition, 612 USD a month</c>.</summary>
    /// <param name="within">Time of the load that it costs; null if it costs a month.</param>
    public static string Describe(TriedFleet fleet, string currency, TimeSpan? within) =>
        $"{Words.Amount(fleet.Settings.Workers, "worker")} on {Numbers.Count(fleet.Settings.Throughput)} RU/s and "
            + $"{Words.Amount(fleet.Settings.Partitions, "partition")}, {Numbers.Brief(fleet.Cost)} {currency} "
            + (within is { } time ? $"for the load in {Numbers.About(time.TotalSeconds)}" : "a month");

    public static string SettingOf(FleetForecast fleet) =>
        $"each {fleet.ConnectionMode}{(fleet.Bulk ? " in bulk" : "")}, {fleet.ConcurrencyPerWorker} in flight, "
            + (fleet.RatePerWorker is { } rate ? $"open loop at {Numbers.Brief(rate)}/s, " : "") + Words.Amount(fleet.Cores, "core");

    public static string LatencyOf(FleetForecast fleet) => $"{Numbers.Brief(fleet.OperationMs.P99)} ms{Range(fleet.P99MsRange, " ms")}";

    public static string Range(Interval? range, string unit) =>
        range is { } known ? $" ({Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}{unit})" : "";

    /// <summary>
    /// What other names of the same keys take, if that differs much: the hashes of the keys' texts decide which are on one partition.
    /// </summary>
    private static string? Names(SizeResult result)
    {
        var named = result.Dependences.Where(one => one.On == DependsOn.KeyNames).ToList();
        List<int> units = [.. named.Select(one => one.Fleet?.Settings.Throughput).OfType<int>(), result.Settings.Throughput];
        var none = named.Any(one => one.Fleet is null);
        if (!none && units.Max() <= MuchMore * units.Min())
            return null;
        return $"Other names of the same keys take {Numbers.Count(units.Min())} to {Numbers.Count(units.Max())} RU/s"
            + (none ? " or more than there are" : "")
            + (result.Dependences.FirstOrDefault(one => one is { On: DependsOn.EvenKeys, Fleet: not null }) is { } even
                ? $", even keys {Numbers.Count(even.Fleet!.Settings.Throughput)}."
                : ".");
    }

    /// <summary>The room that random arrivals take, as RU/s; null if nothing is known of it.</summary>
    public static string? Arrivals(SizeResult result)
    {
        if (result.Dependences.FirstOrDefault(one => one.On == DependsOn.Arrivals)?.Fleet is not { } even)
            return null;
        var more = result.Settings.Throughput - even.Settings.Throughput;
        return more > 0
            ? $"at random, which takes {Numbers.Count(more)} RU/s ({Numbers.Percent(more / (double)even.Settings.Throughput)}) more than "
                + "operations at even distances"
            : "at random, which takes no more RU/s than operations at even distances";
    }

    private static string Margin(SizeResult result)
    {
        var fleet = result.Fleet;
        var used = fleet.Utilization.Client is { } share ? $", on {Numbers.Percent(share)} of the clients' cores" : "";
        var simulated = $"Its p99 is {Numbers.Brief(fleet.OperationMs.P99)} ms as simulated{used}";
        return result.Margin switch
        {
            null => $"{simulated}.",
            { Fleet: { } same, Extra: not > 0 } when same.Settings == result.Settings =>
                $"{simulated}, and it holds with latencies {Longer} longer, too.",
            { Fleet: { } larger, Extra: { } extra } => $"{simulated}. To hold with latencies {Longer} longer takes "
                + $"{Describe(larger, result.Cost.Currency, TimeOf(result))}: {Numbers.Brief(extra)} more.",
            var none => $"{simulated}. With latencies {Longer} longer no fleet holds: {none.Unmet}.",
        };
    }

    private static TimeSpan? TimeOf(SizeResult result) => result.LoadCost is { } load ? TimeSpan.FromSeconds(load.Seconds) : null;

    private static string Growth(StorageGrowth growth, SizeResult result)
    {
        var when = growth.RetentionDays is { } days ? Numbers.About(days * 86_400) : $"{StorageGrowth.DaysOfNone:0} days";
        var stored = $"After {when} {Numbers.Brief(growth.Gigabytes)} GB are stored";
        if (!growth.IsSoughtAgain)
            return $"{stored}: then {Numbers.Brief(result.GrownCost!.Total)} {result.Cost.Currency} a month.";
        return $"{stored}, on {Words.Amount(growth.Partitions, "partition")}{(growth.Splits ? "" : ", and queries find more")}: "
            + (growth.Fleet is { } fleet
                ? $"then {Describe(fleet, result.Cost.Currency, within: null)}."
                : "then no fleet holds the rate.");
    }

    private static string Doubling(FleetLoad load, double rate, string unit)
    {
        if (load.Breaks is not { } breaks)
            return "It holds twice the rate, too.";
        var more = (load.HoldsUpTo / rate) - 1;
        var most = more < MinMore
            ? "It has hardly any rate to spare"
            : $"It holds up to {Numbers.Brief(load.HoldsUpTo)} {unit}/s ({Numbers.Percent(more)} more)";
        var twice = load.AtTwiceTheRate;
        return $"{most}. Where the load doubles, it is first bound by {breaks} ({load.Unmet}); at twice the rate it does "
            + $"{Numbers.Brief(twice.PerSecond)} {unit}/s, with {Numbers.Percent(twice.ThrottledShare)} of the attempts throttled.";
    }

    /// <summary>What the rate counts. Of operations on documents that exist, none is a document that comes.</summary>
    private static string UnitOf(SizeResult result)
    {
        var kinds = result.Spec?.Workload.Shares.Select(one => one.Kind).ToList() ?? [];
        return result.Spec?.Workload.Action is not null ? "actions"
            : kinds.TrueForAll(StorageGrowth.AddsDocuments) ? "documents"
            : kinds is [WorkloadKind.Query] ? "queries" : "operations";
    }

    private static string Limit(FleetForecast fleet) => Words.From(fleet.BoundBy) + fleet.BoundBy switch
    {
        BoundBy.RequestUnits => ": the container's budget is used up",
        BoundBy.Partition => ": its budget is used up while others have theirs",
        BoundBy.Latency => ": the operations in flight wait for their responses",
        _ => "",
    };
}
