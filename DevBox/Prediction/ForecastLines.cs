using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Text;
using ScaleOut.Simulator.Prediction;

namespace ScaleOut.DevBox.Prediction;

/// <summary>Says a forecast in lines.</summary>
internal static class ForecastLines
{
    public static IEnumerable<string> From(FleetForecast forecast)
    {
        var interval = forecast.PerSecond95 is { } known
            ? $"95% {Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}, "
            : "";
        yield return $"predicted: {Words.Amount(forecast.Workers, "worker")} x {forecast.ConcurrencyPerWorker} in flight on "
            + $"{Numbers.Brief(forecast.Cores)} {(forecast.SharesCores ? "shared core(s)" : "core(s) each")}, simulated in virtual time";
        yield return $"  rate           {Numbers.Brief(forecast.PerSecond)} documents/s "
            + $"({interval}single seconds +- {Numbers.Brief(forecast.PerSecondDeviation)})";
        yield return $"  latency        p50 {Numbers.Brief(forecast.OperationMs.P50)} ms, p99 {Numbers.Brief(forecast.OperationMs.P99)} ms "
            + $"with waits; an attempt p50 {Numbers.Brief(forecast.AttemptMs.P50)} ms, p99 {Numbers.Brief(forecast.AttemptMs.P99)} ms";
        yield return $"  throttled      {Numbers.Percent(forecast.ThrottledShare)} of the attempts";
        yield return $"  request units  {Numbers.Brief(forecast.RequestUnitsPerSecond)} RU/s of {Numbers.Brief(forecast.Throughput)} "
            + $"({Numbers.Brief(forecast.RequestUnitsPerDocument)} RU each)";
        var partitions = forecast.Partitions;
        yield return $"  partitions     {Numbers.Count(partitions.Count)} with {Numbers.Brief(partitions.BudgetPerSecond)} RU/s each: "
            + $"{Numbers.Brief(partitions.Mean)} RU/s used on average, from {Numbers.Brief(partitions.Lowest)} "
            + $"to {Numbers.Brief(partitions.Highest)}";
        if (forecast.OperationsPerRequest is > 1 and var each)
            yield return $"  requests       {Numbers.Brief(each)} operations each";
        yield return forecast.CpuMsPerOperation > 0
            ? $"  client CPU     {Numbers.Percent(forecast.ClientCpu)} of the workers' cores, the busiest "
                + $"{Numbers.Percent(forecast.Utilization.Client)}"
            : "  client CPU     not known";
        yield return $"  stopped by     {Limit(forecast.BoundBy)}";
        yield return $"  in Azure       {Numbers.Brief(forecast.Usage.SchedulerActions)} actions of the scheduler, "
            + $"{Numbers.Brief(forecast.Usage.TelemetryGigabytes)} GB of telemetry, "
            + $"{Numbers.Brief(forecast.Usage.StorageWrites)} blobs written";
        if (forecast.Cost is { } cost)
        {
            yield return $"  cost           {Numbers.Brief(cost.Amount)} {cost.Currency}: " + string.Join(
                ", ", cost.Items.Select(item => $"{item.Name.ToLowerInvariant()} {Numbers.Brief(item.Amount)}"));
        }

        foreach (var note in forecast.Notes)
            yield return $"  note           {note}";
    }

    /// <summary>What a sample stands for.</summary>
    public static string Describe(FleetSpec spec, FleetSample sample)
    {
        var seconds = sample.Steady
            ? $"{sample.Seconds} s of {spec.Duration.TotalSeconds:0} s, after which the rates of both halves differ by under 1%"
            : $"all {sample.Seconds} s";
        var fleet = sample.Workers < spec.Workers
            ? $"{sample.Workers} of {spec.Workers} workers on {sample.Partitions} of {spec.Partitions} partitions, so that each partition "
                + "sees the load that it sees in the whole fleet, and rates are multiplied"
            : "the whole fleet";
        return $"simulated: {fleet}; {seconds}; the first {spec.Warmup.TotalSeconds:0} s are left out";
    }

    private static string Limit(BoundBy bound) => bound switch
    {
        BoundBy.RequestUnits => "the request units: the container's budget is used up",
        BoundBy.Partition => "one physical partition: its budget is used up while others have theirs",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Rate => "nothing: the rate that was asked for is kept",
        _ => "latency: the operations in flight wait for their responses; more workers or more in flight would do more",
    };
}
