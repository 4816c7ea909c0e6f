using ScaleOut.Analysis.Reports.Tables;

namespace ScaleOut.DevBox.Sizing;

/// <summary>Says the result of <c>size</c> in lines.</summary>
internal static class SizingLines
{
    public static IEnumerable<string> From(SizeResult result)
    {
        var fleet = result.Fleet;
        yield return Headline(result);
        yield return "simulated, in virtual time";
        foreach (var (name, text) in FleetLines(fleet, result.Rate))
            yield return Line(name, text);
        foreach (var setting in result.Tried)
            yield return Line("tried", SettingText(setting));
        if (fleet is { Cost: { } cost, CostPerMillion: var million })
        {
            yield return $"cost of an hour by {cost.Source ?? "the price file"}";
            yield return Line(
                "all", $"{Numbers.Brief(cost.Amount)} {cost.Currency}, {Numbers.Brief(million)} {cost.Currency} a million documents: "
                + string.Join(", ", cost.Items.Select(item => $"{item.Name.ToLowerInvariant()} {Numbers.Brief(item.Amount)}")));
        }

        yield return "resting on";
        foreach (var figure in result.Basis)
        {
            var origin = figure.Origin == FigureOrigin.Measured ? "measured" : "assumed";
            yield return Line(figure.Name, $"{figure.Value}, {origin} ({figure.Source})");
        }

        foreach (var note in result.Notes)
            yield return Line("note", note);
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

    private static IEnumerable<(string Name, string Text)> FleetLines(FleetForecast fleet, double? asked)
    {
        var interval = fleet.PerSecond95 is { } known ? $"95% {Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}, " : "";
        var partitions = fleet.Partitions;
        yield return ("rate", $"{Numbers.Brief(fleet.PerSecond)} documents/s ({interval}single seconds +- "
            + $"{Numbers.Brief(fleet.PerSecondDeviation)})");
        yield return ("latency", $"p50 {Numbers.Brief(fleet.OperationMs.P50)} ms, p99 {Numbers.Brief(fleet.OperationMs.P99)} ms with "
            + $"waits; an attempt p50 {Numbers.Brief(fleet.AttemptMs.P50)} ms, p99 {Numbers.Brief(fleet.AttemptMs.P99)} ms");
        yield return ("throttled", $"{Numbers.Percent(fleet.ThrottledShare)} of the attempts");
        yield return ("request units", $"{Numbers.Brief(fleet.RequestUnitsPerSecond)} RU/s of {Numbers.Brief(fleet.Throughput)}"
            + (asked is { } rate ? $"; the rate uses {Numbers.Brief(rate * fleet.RequestUnitsPerDocument)}" : ""));
        yield return ("partitions", $"{Numbers.Count(partitions.Count)} with {Numbers.Brief(partitions.BudgetPerSecond)} RU/s each: "
            + $"{Numbers.Brief(partitions.Mean)} RU/s used on average, from {Numbers.Brief(partitions.Lowest)} "
            + $"to {Numbers.Brief(partitions.Highest)}");
        if (fleet.OperationsPerRequest is > 1 and var each)
            yield return ("requests", $"{Numbers.Brief(each)} operations each");
        yield return ("client CPU", fleet.ClientCpu is { } cpu
            ? $"{Numbers.Percent(cpu)} of the workers' cores, the busiest {Numbers.Percent(fleet.Utilization.Client)}"
            : "not known");
        yield return ("in Azure", $"{Numbers.Brief(fleet.Usage.SchedulerActions)} actions of the scheduler, "
            + $"{Numbers.Brief(fleet.Usage.TelemetryGigabytes)} GB of telemetry, "
            + $"{Numbers.Brief(fleet.Usage.StorageWrites)} blobs written an hour");
        var sample = fleet.Sample;
        yield return ("simulated", (sample.Workers < fleet.Workers
                ? $"{sample.Workers} of {fleet.Workers} workers on {sample.Partitions} of {partitions.Count} partitions stand for all"
                : "the whole fleet was simulated")
            + $", over {sample.Seconds} s{(sample.Steady ? ", until the rate was steady" : "")}");
    }

    private static string SettingText(TriedSetting setting)
    {
        var fewer = setting.TooFew is { } few
            ? $"{Words.Amount(few.Workers, "worker")} {Do(few)} {Numbers.Brief(few.PerSecond)} a second, stopped by {Limit(few)}"
            : "no smaller fleet stops it";
        return $"{setting.Concurrency} in flight each: "
            + (setting.Enough is { } enough ? $"{Words.Amount(enough.Workers, "worker")}; {fewer}" : $"not reached; {fewer}");
    }

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

    private static string Line(string name, string text) => $"  {name,-14} {text}";
}
