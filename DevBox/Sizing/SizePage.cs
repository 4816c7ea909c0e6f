namespace ScaleOut.DevBox.Sizing;

/// <summary>What the result of <c>size</c> shows to people.</summary>
internal static class SizePage
{
    public static ReportPage From(SizeResult result)
    {
        var fleet = result.Fleet;
        return new ReportPage
        {
            Subject = "Size of a fleet",
            Badges = [new("simulated in virtual time", "sim")],
            Result = [$"{Headline(result)}."],
            About = ["Simulated in virtual time: no worker was run."],
            Parts =
            [
                ReportPart.From(TextTable.OfValues("Fleet", "Figure", "Value", Figures(fleet, result.Rate))),
                .. result.Tried.Count == 0
                    ? Array.Empty<ReportPart>()
                    : [
                        ReportPart.From(TextTable.OfValues(
                            "Settings that were tried", "In flight per worker", "Workers",
                            result.Tried.Select(setting => (Numbers.Count(setting.Concurrency), (string?)TextOf(setting))))),
                    ],
                .. fleet.Cost is { } cost ? [ReportPart.From(CostOf(cost, fleet.CostPerMillion))] : Array.Empty<ReportPart>(),
                ReportPart.From(new Columns<BasisFigure>()
                    .Text("Figure", figure => figure.Name)
                    .Text("Value", figure => figure.Value)
                    .Text("Origin", figure => figure.Origin == FigureOrigin.Measured ? "measured" : "assumed")
                    .Text("Source", figure => figure.Source)
                    .Table("Resting on", result.Basis)),
                ReportPart.List("Notes", result.Notes),
            ],
        };
    }

    private static string Headline(SizeResult result)
    {
        var fleet = result.Fleet;
        var workers = $"{Words.Amount(fleet.Workers, "worker")} ({SettingOf(fleet)}) on {Numbers.Count((long)fleet.Throughput)} RU/s";
        return (result.Rate, result.Reached) switch
        {
            ({ } rate, true) => $"{Numbers.Brief(rate)} documents/s take {workers}",
            ({ } rate, _) when fleet.BoundBy is BoundBy.RequestUnits or BoundBy.Partition =>
                $"{Numbers.Brief(rate)} documents/s are not reached, and more workers do not help: {workers} are stopped by {Limit(fleet)}",
            ({ } rate, _) => $"{Numbers.Brief(rate)} documents/s are not reached: {workers} are stopped by {Limit(fleet)}",
            _ => $"{workers} {Do(fleet)} {Numbers.Brief(fleet.PerSecond)} documents/s, stopped by {Limit(fleet)}",
        };
    }

    private static IEnumerable<(string Name, string? Text)> Figures(FleetForecast fleet, double? asked)
    {
        var interval = fleet.PerSecond95 is { } known ? $"95% {Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}, " : "";
        var (partitions, sample, usage) = (fleet.Partitions, fleet.Sample, fleet.Usage);
        yield return ("Rate", $"{Numbers.Brief(fleet.PerSecond)} documents/s ({interval}single seconds +- "
            + $"{Numbers.Brief(fleet.PerSecondDeviation)})");
        yield return ("Latency", $"p50 {Numbers.Brief(fleet.OperationMs.P50)} ms, p99 {Numbers.Brief(fleet.OperationMs.P99)} ms with "
            + $"waits; an attempt p50 {Numbers.Brief(fleet.AttemptMs.P50)} ms, p99 {Numbers.Brief(fleet.AttemptMs.P99)} ms");
        yield return ("Throttled", $"{Numbers.Percent(fleet.ThrottledShare)} of the attempts");
        yield return ("Request units", $"{Numbers.Brief(fleet.RequestUnitsPerSecond)} RU/s of {Numbers.Brief(fleet.Throughput)}"
            + (asked is { } rate ? $"; the rate uses {Numbers.Brief(rate * fleet.RequestUnitsPerDocument)}" : ""));
        yield return ("Partitions", $"{Numbers.Count(partitions.Count)} with {Numbers.Brief(partitions.BudgetPerSecond)} RU/s each: "
            + $"{Numbers.Brief(partitions.Mean)} RU/s used on average, from {Numbers.Brief(partitions.Lowest)} to "
            + Numbers.Brief(partitions.Highest));
        yield return ("Requests", fleet.OperationsPerRequest is > 1 and var each ? $"{Numbers.Brief(each)} operations each" : null);
        yield return ("Client CPU", fleet.ClientCpu is { } cpu
            ? $"{Numbers.Percent(cpu)} of the workers' cores, the busiest {Numbers.Percent(fleet.Utilization.Client)}"
            : "not known");
        yield return ("In Azure", $"{Numbers.Brief(usage.SchedulerActions)} actions of the scheduler, "
            + $"{Numbers.Brief(usage.TelemetryGigabytes)} GB of telemetry, {Numbers.Brief(usage.StorageWrites)} blobs written an hour");
        yield return ("Simulated", (sample.Workers < fleet.Workers
                ? $"{sample.Workers} of {fleet.Workers} workers on {sample.Partitions} of {partitions.Count} partitions stand for all"
                : "the whole fleet was simulated")
            + $", over {sample.Seconds} s{(sample.Steady ? ", until the rate was steady" : "")}");
    }

    private static string TextOf(TriedSetting setting)
    {
        var fewer = setting.TooFew is { } few
            ? $"{Words.Amount(few.Workers, "worker")} {Do(few)} {Numbers.Brief(few.PerSecond)} a second, stopped by {Limit(few)}"
            : "no smaller fleet stops it";
        return setting.Enough is { } enough ? $"{Words.Amount(enough.Workers, "worker")}; {fewer}" : $"not reached; {fewer}";
    }

    private static TextTable CostOf(RunCost cost, double? million) => TextTable.OfValues(
        $"Cost of an hour in {cost.Currency}, by {cost.Source ?? "the price file"}", "Billed for", "Amount",
        [
            .. cost.Items.Select(item => (item.Name, (string?)Numbers.Brief(item.Amount))),
            (cost.SumText, Numbers.Brief(cost.Amount)),
            ("A million documents", Numbers.Brief(million)),
        ],
        areNumbers: true);

    private static string SettingOf(FleetForecast fleet) => $"each {fleet.ConnectionMode}, {fleet.ConcurrencyPerWorker} in flight, "
        + (fleet.RatePerWorker is { } rate ? $"open loop at {Numbers.Brief(rate)}/s, " : "") + Words.Amount(fleet.Cores, "core");

    private static string Do(FleetForecast fleet) => fleet.Workers == 1 ? "does" : "do";

    private static string Limit(FleetForecast fleet) => fleet.BoundBy switch
    {
        BoundBy.RequestUnits => "the request units: the container's budget is used up",
        BoundBy.Partition => "one physical partition: its budget is used up while others have theirs",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Rate => "nothing but the rate that was asked for",
        _ => "latency: the operations in flight wait for their responses",
    };
}
