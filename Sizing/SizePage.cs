using ScaleOut.Analysis.Reports.Tables;

namespace ScaleOut.Sizing;

/// <summary>Makes the page of a result of <c>size</c>.</summary>
public static class SizePage
{
    public static ReportPage From(SizeResult result) => new()
    {
        Subject = "Size of a fleet",
        Badges =
        [
            .. result.Reached is { } holds ? [holds ? new Badge("Holds", "good") : new("Not reached", "bad")] : Array.Empty<Badge>(),
            .. Badge.Of(result.Fleet.BoundBy), new("simulated in virtual time", "sim"),
        ],
        Number = SizeSentences.Figures(result).First(),
        Result = [.. SizeSentences.Headline(result)],
        Next = NextOf(result),
        Command = result.Reached == false ? result.StartedBy : result.Measurement?.Command(result.SpecFile) ?? result.StartedBy,
        About = ["Simulated in virtual time: no fleet was run.", $"Prices: {result.Cost.Source ?? "those of the price file"}."],
        Parts = [.. Answer(result), .. Grounds(result)],
    };

    /// <summary>What was asked: the fleet, and what would help if none holds.</summary>
    private static IEnumerable<ReportPart> Answer(SizeResult result)
    {
        if (!result.Fleet.PromisesLatency)
        {
            yield return ReportPart.Warnings(
                [$"Latencies are not promised: the clients use {Numbers.Percent(result.Fleet.Utilization.Client)} of their cores. Above "
                    + $"{Numbers.Percent(FleetForecast.MaxClientShare)} a little more CPU per operation changes them much."]);
        }

        yield return new KeyFigures([.. SizeSentences.Figures(result)]);
        foreach (var chart in SizeCharts.From(result))
            yield return ReportPart.From(chart);
        yield return ReportPart.List("What would help", result.WouldHelp);
        yield return ReportPart.List("Beyond the question", [.. SizeSentences.Beyond(result)]);
        if (result.Reached != false)
            yield return ReportPart.From(OffersOf(result));
        yield return ReportPart.From(SizeCharts.Fleets(result));
        yield return ReportPart.From(TextTable.OfValues("Fleet", "Figure", "Value", Figures(result)));
    }

    /// <summary>What the answer costs, and what it rests on.</summary>
    private static IEnumerable<ReportPart> Grounds(SizeResult result)
    {
        if (result.LoadCost is { } load)
            yield return ReportPart.From(CostOf(load, result));
        yield return ReportPart.From(CostOf(
            result.Cost,
            result.LoadCost is not null ? "Cost of a month after the load"
            : result.Growth is { Adds: true } ? "Cost of a month at the start" : "Cost of a month"));
        if (result.GrownCost is { } grown)
            yield return ReportPart.From(CostOf(grown, "Cost of a month once grown"));
        if (result.Growth is { } growth)
            yield return ReportPart.From(GrowthOf(growth, result));
        yield return ReportPart.From(new Columns<Dependence>()
            .Text("If", one => one.If)
            .Text("then", one => one.Then)
            .Table("How sure this is", result.Dependences));
        yield return ReportPart.List("One measurement that narrows the range", result.Measurement is { } one
            ? [$"{one.Text} About {Numbers.Brief(one.Minutes)} minutes and {Numbers.Brief(one.Price)} {result.Cost.Currency}, because "
                + "throughput is billed by the hour."]
            : []);
        yield return ReportPart.From(new Columns<BasisFigure>()
            .Text("Figure", figure => figure.Name)
            .Text("Value", figure => figure.Value)
            .Text("Origin", figure => figure.Origin == FigureOrigin.Measured ? "measured" : "assumed")
            .Text("Source", figure => figure.Source)
            .Table("Resting on", result.Basis));
        yield return ReportPart.List("Notes", result.Notes);
        yield return ReportPart.From(TextTable.OfValues(RunSettings.Title, "Setting", "Value",
        [
            .. MachineKind.RowsOf(result.StartedBy, result.Machines),
            ("Program", result.Machines.Count == 0 ? result.Program : null),
            .. result.Spec is { } spec ? RunSettings.RowsOf(spec, !result.IsReal) : [],
        ]) with
        {
            OnConsole = false,
        });
    }

    private static string? NextOf(SizeResult result) => result switch
    {
        { Reached: false } => result.WouldHelp.Take(1)
            .Select(help => $"Next step: {char.ToLowerInvariant(help[0])}{help[1..]}").FirstOrDefault(),
        { Measurement: { } one } => "Next step: a measurement on the account narrows the range, about "
            + $"{Numbers.Brief(one.Minutes)} minutes and {Numbers.Brief(one.Price)} {result.Cost.Currency}.",
        _ => null,
    };

    private static IEnumerable<(string Name, string? Text)> Figures(SizeResult result)
    {
        var fleet = result.Fleet;
        var (partitions, sample) = (fleet.Partitions, fleet.Sample);
        yield return ("Condition", result.Until);
        yield return ("Rate", $"{Numbers.Brief(fleet.PerSecond)} documents/s{SizeSentences.Range(fleet.PerSecondRange, "")}, single "
            + $"seconds +- {Numbers.Brief(fleet.PerSecondDeviation)}");
        yield return ("Latency", $"p50 {Numbers.Brief(fleet.OperationMs.P50)} ms, p99 {SizeSentences.LatencyOf(fleet)} with waits; an "
            + $"attempt p50 {Numbers.Brief(fleet.AttemptMs.P50)} ms, p99 {Numbers.Brief(fleet.AttemptMs.P99)} ms");
        foreach (var (kind, latency) in fleet.OperationMsByKind)
            yield return ($"Latency, {kind}", $"p50 {Numbers.Brief(latency.P50)} ms, p99 {Numbers.Brief(latency.P99)} ms");
        yield return ("Throttled", $"{Numbers.Percent(fleet.ThrottledShare)} of the attempts");
        yield return ("Request units", $"{Numbers.Brief(fleet.RequestUnitsPerSecond)} RU/s of {Numbers.Brief(fleet.Throughput)}"
            + (result.Rate is { } rate ? $"; the rate uses {Numbers.Brief(rate * fleet.RequestUnitsPerDocument)}" : ""));
        yield return ("Partitions", $"{Numbers.Count(partitions.Count)} with {Numbers.Brief(partitions.BudgetPerSecond)} RU/s each: "
            + $"{Numbers.Brief(partitions.Mean)} RU/s used on average, from {Numbers.Brief(partitions.Lowest)} to "
            + Numbers.Brief(partitions.Highest)
            + (sample.Partitions < partitions.Count ? $" among the {sample.Partitions} that were simulated" : ""));
        yield return ("Sent by each worker", $"{Numbers.Brief(fleet.SentPerSecond / 1e6)} MB/s of "
            + $"{Numbers.Brief(fleet.Cores * FleetForecast.MaxSentPerCore / 1e6)}");
        yield return ("Arrivals", SizeSentences.Arrivals(result));
        yield return ("Requests", fleet.OperationsPerRequest is > 1 and var each ? $"{Numbers.Brief(each)} operations each" : null);
        yield return ("Client CPU", fleet.ClientCpu is { } cpu
            ? $"{Numbers.Percent(cpu)} of the workers' cores, {(fleet.ComesAtRandom ? "at just the rate" : "the busiest")} "
                + Numbers.Percent(fleet.Utilization.Client)
            : "not known");
        yield return ("Spec of a run", result.SpecFile);
        yield return ("Simulated", (sample.Workers < fleet.Workers
                ? $"{sample.Workers} of {fleet.Workers} workers on {sample.Partitions} of {partitions.Count} partitions stand for all"
                : "the whole fleet was simulated")
            + $", over {sample.Seconds} s{(sample.Steady ? ", until the rate was steady" : "")}");
    }

    private static TextTable CostOf(LoadCost load, SizeResult result) => TextTable.OfValues(
        $"Cost of the load, {result.Cost.Currency}", "Billed for", "Amount",
        [
            ($"{Numbers.Count(result.Settings.Throughput)} RU/s for {Words.Amount((long)load.HoursBilled, "hour")}",
                Numbers.Brief(load.Throughput)),
            ($"{Words.Amount(result.Settings.Workers, "worker")} for {Numbers.About(load.Seconds)}", Numbers.Brief(load.Compute)),
            ("In all", Numbers.Brief(load.Total)),
        ],
        SizeSentences.Afterwards(load), areNumbers: true);

    private static TextTable OffersOf(SizeResult result)
    {
        var offers = result.Cost.Offers;
        ThroughputOffer? GrownOf(ThroughputOffer offer) => result.GrownCost?.Offers.FirstOrDefault(one => one.Name == offer.Name);
        return new Columns<ThroughputOffer>()
            .Text("RU/s bought as", offer => offer.Name)
            .Number(result.GrownCost is null ? "A month" : "A month today", offer => offer.Amount, result.Cost.Currency)
            .Number("Grown", offer => GrownOf(offer) is { WhyNot: null } grown ? grown.Amount : null, result.Cost.Currency)
            .Text("Is worth it", offer => offer.WhyNot is { } reason ? $"cannot be had: {reason}"
                : GrownOf(offer)?.WhyNot is { } then ? $"{offer.PaysOff}; cannot be had once grown: {then}"
                : offer.PaysOff)
            .Table("Ways to buy the RU/s", offers);
    }

    private static TextTable CostOf(MonthCost cost, string title)
    {
        var regions = cost.Regions > 1 ? $" in each of {cost.Regions} regions" : "";
        var free = cost.FreeUnits > 0 ? $", up to {Numbers.Brief(cost.FreeUnits)} of them free" : "";
        return TextTable.OfValues(
            $"{title} ({MonthCost.Hours:0} hours), {cost.Currency}", "Billed for", "Amount",
            [
                ($"Fixed throughput, {Numbers.Count((long)cost.Throughput)} RU/s{regions}{free}", Numbers.Brief(cost.FixedThroughput)),
                ($"or autoscale up to {Numbers.Count((long)cost.AutoscaleThroughput)} RU/s{regions}, at the rate in every hour",
                    Numbers.Brief(cost.AutoscaleBusy)),
                ("or autoscale, by the rates of the day", cost.AutoscaleWithPeak is { } peak ? Numbers.Brief(peak) : null),
                ($"Storage, {Numbers.Brief(cost.Gigabytes)} GB{regions}",
                    cost.Storage is { } storage ? Numbers.Brief(storage) : "no price"),
                ("Workers, all of the time", Numbers.Brief(cost.Compute)),
                ($"In all, with {SizeSentences.From(cost.Cheapest)}", Numbers.Brief(cost.Total)),
            ],
            cost.BreakEven switch
            {
                >= 1 => "Autoscale costs no more than fixed throughput, whatever the hours use.",
                <= 0 => "Fixed throughput costs no more than autoscale, whatever the hours use.",
                var share => $"Autoscale is cheaper than fixed throughput if the hours use less than {Numbers.Percent(share)} of it on "
                    + "average.",
            },
            areNumbers: true);
    }

    private static TextTable GrowthOf(StorageGrowth growth, SizeResult result) => TextTable.OfValues(
        "Storage", "Figure", "Value",
        [
            ("Documents are kept", result.LoadCost is not null ? "those of the load"
                : growth.RetentionDays is { } days ? $"{Numbers.About(days * 86_400)}"
                : $"for ever; figures are those after {StorageGrowth.DaysOfNone:0} days"),
            ("A day adds", growth.GigabytesPerDay > 0 ? $"{Numbers.Brief(growth.GigabytesPerDay)} GB" : "nothing"),
            ("Stored then", $"{Numbers.Brief(growth.Gigabytes)} GB of documents, without their index"),
            ("Partitions then", $"{Numbers.Count(growth.Partitions)} of {CosmosLimits.MaxGigabytesPerPartition} GB; the fleet begins "
                + "with " + Numbers.Count(result.Settings.Partitions)),
            ("Fewest RU/s then", $"{Numbers.Count(growth.MinThroughput)}, for autoscale {Numbers.Count(growth.MinAutoscaleThroughput)} as "
                + "its highest"),
            ("Holds then", !growth.IsSoughtAgain ? null
                : growth.Fleet is { } fleet ? SizeSentences.Describe(fleet, result.Cost.Currency, within: null)
                : "no fleet"),
            ("Full", growth.FullKey?.Text),
        ]);
}
