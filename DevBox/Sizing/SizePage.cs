using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Tables;

namespace ScaleOut.DevBox.Sizing;

/// <summary>Makes the page of a result of <c>size</c>.</summary>
internal static class SizePage
{
    /// <summary>Smallest surplus of the highest rate that holds that is given as a number, as a share.</summary>
    private const double MinMore = 0.005;

    public static ReportPage From(SizeResult result) => new()
    {
        Subject = "Size of a fleet",
        Badges = [new("simulated in virtual time", "sim")],
        Result = [.. Headline(result)],
        About = ["Simulated in virtual time: no fleet was run.", $"Prices: {result.Cost.Source ?? "those of the price file"}."],
        Parts =
        [
            .. result.Fleet.PromisesLatency
                ? Array.Empty<ReportPart>()
                : [
                    ReportPart.Warnings(
                        [$"Latencies are not promised: the clients use {Numbers.Percent(result.Fleet.Utilization.Client)} of their cores. "
                            + $"Above {Numbers.Percent(FleetForecast.MaxClientShare)} a little more CPU per operation changes them much."]),
                ],
            ReportPart.From(TextTable.OfValues("Fleet", "Figure", "Value", Figures(result))),
            ReportPart.From(CostOf(result.Cost)),
            .. Frontier(result),
            ReportPart.From(new Columns<Dependence>()
                .Text("If", one => one.If)
                .Text("then", one => one.Then)
                .Table("How sure this is", result.Dependences)),
            ReportPart.List("What would make it surer", Surer(result)),
            ReportPart.From(new Columns<BasisFigure>()
                .Text("Figure", figure => figure.Name)
                .Text("Value", figure => figure.Value)
                .Text("Origin", figure => figure.Origin == FigureOrigin.Measured ? "measured" : "assumed")
                .Text("Source", figure => figure.Source)
                .Table("Resting on", result.Basis)),
            ReportPart.List("Notes", result.Notes),
            ReportPart.From(TextTable.OfValues(RunSettings.Title, "Setting", "Value",
            [
                .. MachineKind.RowsOf(result.StartedBy, result.Machines),
                ("Program", result.Machines.Count == 0 ? result.Program : null),
                .. result.Spec is { } spec ? RunSettings.RowsOf(spec, !result.IsReal) : [],
            ], console: false)),
        ],
    };

    private static IEnumerable<string> Headline(SizeResult result)
    {
        var (fleet, cost) = (result.Fleet, result.Cost);
        var workers = $"{Words.Amount(fleet.Workers, "worker")} ({SettingOf(fleet)}) on {Numbers.Count((long)fleet.Throughput)} RU/s and "
            + Words.Amount(fleet.Partitions.Count, "partition");
        if (result.Rate is not { } rate)
        {
            yield return $"{workers} {(fleet.Workers == 1 ? "does" : "do")} {Numbers.Brief(fleet.PerSecond)} documents/s"
                + $"{Range(fleet.PerSecondRange, "")}, stopped by {Limit(fleet)}.";
            yield return fleet.PromisesLatency ? $"p99 {LatencyOf(fleet)}." : "No latency is promised.";
            yield break;
        }

        if (result.Reached != true)
        {
            var budget = fleet.BoundBy is BoundBy.RequestUnits or BoundBy.Partition ? ", and more workers do not help" : "";
            yield return $"{Numbers.Brief(rate)} documents/s are not reached{budget}: {workers} are stopped by {Limit(fleet)} "
                + $"({result.Unmet}).";
            yield break;
        }

        yield return $"{Numbers.Brief(rate)} documents/s take {workers}: {Numbers.Brief(cost.Total)} {cost.Currency} a month.";
        var load = result.Load!;
        yield return $"p99 {LatencyOf(fleet)}; the clients use {Numbers.Percent(fleet.Utilization.Client)} of their cores; "
            + $"{Most(load.HoldsUpTo, rate)}.";
        var twice = load.AtTwiceTheRate;
        yield return load.Breaks is { } breaks
            ? $"Where the load doubles, the first thing to break is {breaks} ({load.Unmet}); at twice the rate it does "
                + $"{Numbers.Brief(twice.PerSecond)} documents/s, with {Numbers.Percent(twice.ThrottledShare)} of the attempts throttled."
            : "It holds twice the rate, too.";
    }

    private static IEnumerable<(string Name, string? Text)> Figures(SizeResult result)
    {
        var fleet = result.Fleet;
        var (partitions, sample) = (fleet.Partitions, fleet.Sample);
        yield return ("Condition", result.Until);
        yield return ("Rate", $"{Numbers.Brief(fleet.PerSecond)} documents/s{Range(fleet.PerSecondRange, "")}, single seconds +- "
            + Numbers.Brief(fleet.PerSecondDeviation));
        yield return ("Latency", $"p50 {Numbers.Brief(fleet.OperationMs.P50)} ms, p99 {LatencyOf(fleet)} with waits; an attempt p50 "
            + $"{Numbers.Brief(fleet.AttemptMs.P50)} ms, p99 {Numbers.Brief(fleet.AttemptMs.P99)} ms");
        yield return ("Throttled", $"{Numbers.Percent(fleet.ThrottledShare)} of the attempts");
        yield return ("Request units", $"{Numbers.Brief(fleet.RequestUnitsPerSecond)} RU/s of {Numbers.Brief(fleet.Throughput)}"
            + (result.Rate is { } rate ? $"; the rate uses {Numbers.Brief(rate * fleet.RequestUnitsPerDocument)}" : ""));
        yield return ("Partitions", $"{Numbers.Count(partitions.Count)} with {Numbers.Brief(partitions.BudgetPerSecond)} RU/s each: "
            + $"{Numbers.Brief(partitions.Mean)} RU/s used on average, from {Numbers.Brief(partitions.Lowest)} to "
            + Numbers.Brief(partitions.Highest)
            + (sample.Partitions < partitions.Count ? $" among the {sample.Partitions} that were simulated" : ""));
        yield return ("Requests", fleet.OperationsPerRequest is > 1 and var each ? $"{Numbers.Brief(each)} operations each" : null);
        yield return ("Client CPU", fleet.ClientCpu is { } cpu
            ? $"{Numbers.Percent(cpu)} of the workers' cores, the busiest {Numbers.Percent(fleet.Utilization.Client)}"
            : "not known");
        yield return ("Spec of a run", result.SpecFile);
        yield return ("Simulated", (sample.Workers < fleet.Workers
                ? $"{sample.Workers} of {fleet.Workers} workers on {sample.Partitions} of {partitions.Count} partitions stand for all"
                : "the whole fleet was simulated")
            + $", over {sample.Seconds} s{(sample.Steady ? ", until the rate was steady" : "")}");
    }

    private static TextTable CostOf(MonthCost cost) => TextTable.OfValues(
        $"Cost of a month ({MonthCost.Hours:0} hours), {cost.Currency}", "Billed for", "Amount",
        [
            ("Fixed throughput", Numbers.Brief(cost.FixedThroughput)),
            ("Storage", cost.Storage is { } storage ? Numbers.Brief(storage) : "no price"),
            ("Workers, all of the time", Numbers.Brief(cost.Compute)),
            ("In all", Numbers.Brief(cost.Total)),
            ("Autoscale instead of fixed throughput, at its highest in each hour", Numbers.Brief(cost.AutoscaleBusy)),
            ("Autoscale instead of fixed throughput, hardly used", Numbers.Brief(cost.AutoscaleIdle)),
        ],
        $"Autoscale is cheaper if the hours use less than {Numbers.Percent(cost.BreakEven)} of it on average.", areNumbers: true);

    private static IEnumerable<ReportPart> Frontier(SizeResult result)
    {
        if (result.Frontier.Count == 0)
            yield break;
        var bound = result.LatencyBoundMs is { } ms ? [new ChartMark("y", ms, $"{Numbers.Brief(ms)} ms", "s3")] : Array.Empty<ChartMark>();
        var unit = $"{result.Cost.Currency} a month";
        yield return ReportPart.From(new Chart(
            "cost-latency", "Cost against p99",
            "Each dot is a fleet at the rate. Hollow ones do not hold it, by the condition or by more than "
                + $"{Numbers.Percent(FleetForecast.MaxClientShare)} CPU.",
            new ChartAxis(unit), new ChartAxis("p99, ms (logarithmic)", ChartScale.Logarithmic),
            SeriesOf(result, fleet => fleet.Cost, fleet => fleet.Forecast.OperationMs.P99))
        {
            Marks = bound,
        });
        yield return ReportPart.From(new Chart(
            "cost-workers", "Cost against workers", "The same fleets by their number of workers.",
            new ChartAxis("workers"), new ChartAxis(unit), SeriesOf(result, fleet => fleet.Settings.Workers, fleet => fleet.Cost)));
        yield return ReportPart.From(new Columns<TriedFleet>()
            .Text("Mode", fleet => ModeOf(fleet.Settings))
            .Count("Workers", fleet => fleet.Settings.Workers)
            .Count("In flight", fleet => fleet.Settings.Concurrency)
            .Count("RU/s", fleet => fleet.Settings.Throughput)
            .Number("p99", fleet => fleet.Forecast.OperationMs.P99, "ms")
            .Share("CPU", fleet => fleet.Forecast.Utilization.Client)
            .Number(unit, fleet => fleet.Cost)
            .Text("Holds", fleet => fleet.Unmet ?? "yes")
            .Table("Fleets that were looked at", result.Frontier, console: false));
    }

    private static List<ChartSeries> SeriesOf(SizeResult result, Func<TriedFleet, double> x, Func<TriedFleet, double?> y) =>
    [
        .. result.Frontier.GroupBy(fleet => ModeOf(fleet.Settings)).Select((group, index) => ChartSeries.From(
            group.Key, $"s{index}", index == 0 ? ChartKind.Dots : ChartKind.Diamonds,
            [
                .. group.Where(fleet => y(fleet) is not null).OrderBy(x).Select(fleet => new ChartPoint(
                    x(fleet), y(fleet)!.Value,
                    $"{Words.Amount(fleet.Settings.Workers, "worker")}, {fleet.Settings.Concurrency} in flight, "
                        + $"{Numbers.Count(fleet.Settings.Throughput)} RU/s: p99 {Numbers.Brief(fleet.Forecast.OperationMs.P99)} ms, "
                        + $"{Numbers.Brief(fleet.Cost)} a month{(fleet.Unmet is { } unmet ? $"; {unmet}" : "")}",
                    IsHollow: !fleet.Holds)),
            ])),
    ];

    private static IReadOnlyList<string> Surer(SizeResult result) => result.IsReal
        ? ["A run of the whole fleet on the account: devbox run with the spec above, and --account."]
        :
        [
            "One run of one worker on the real account, on a machine such as the workers will have: devbox run with "
                + $"{result.SpecFile ?? "a spec"}, --workers 1, --cores 1 and --account, then devbox size with that run's id. It measures "
                + "CPU, latency and RU of an operation in place of what is assumed here.",
        ];

    private static string ModeOf(FleetSettings settings) => settings.Bulk ? $"{settings.Mode}, bulk" : settings.Mode.ToString();

    private static string SettingOf(FleetForecast fleet) =>
        $"each {fleet.ConnectionMode}{(fleet.Bulk ? " in bulk" : "")}, {fleet.ConcurrencyPerWorker} in flight, "
            + (fleet.RatePerWorker is { } rate ? $"open loop at {Numbers.Brief(rate)}/s, " : "") + Words.Amount(fleet.Cores, "core");

    private static string LatencyOf(FleetForecast fleet) => $"{Numbers.Brief(fleet.OperationMs.P99)} ms{Range(fleet.P99MsRange, " ms")}";

    private static string Range(Interval? range, string unit) =>
        range is { } known ? $" ({Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}{unit})" : "";

    private static string Most(double highest, double rate)
    {
        var more = (highest / rate) - 1;
        return more < MinMore
            ? "it has hardly any rate to spare"
            : $"it holds up to {Numbers.Brief(highest)} documents/s ({Numbers.Percent(more)} more)";
    }

    private static string Limit(FleetForecast fleet) => fleet.BoundBy switch
    {
        BoundBy.RequestUnits => "the request units: the container's budget is used up",
        BoundBy.Partition => "one physical partition: its budget is used up while others have theirs",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Rate => "nothing but the rate that was asked for",
        _ => "latency: the operations in flight wait for their responses",
    };
}
