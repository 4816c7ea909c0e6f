namespace ScaleOut.Api.Responses;

/// <param name="RequestUnits">RU of all operations.</param>
/// <param name="Seconds">Minimum time; null if no limit is known.</param>
/// <param name="Cost">Cost at the host's prices. Left out without prices, for the simulated account, and if the time is not known.</param>
internal sealed record StartEstimate(
    double RequestUnits, double? Seconds, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RunCost? Cost)
{
    /// <summary>Estimates runs that go one after the other.</summary>
    public static StartEstimate From(IEnumerable<RunSpec> runs, HostRules rules)
    {
        var estimates = runs.Select(run => (Spec: run, Estimate: RunEstimate.From(run, rules.Target))).ToList();
        var requestUnits = estimates.Sum(run => run.Estimate.RequestUnits + run.Estimate.PreloadRequestUnits);
        double? seconds = estimates.All(run => run.Estimate.Seconds is not null) ? estimates.Sum(run => run.Estimate.Seconds!.Value) : null;
        var cost = rules.Prices is null || rules.Simulated || seconds is null
            ? null
            : RunCost.From(rules.Prices, estimates.Select(run => (run.Spec, run.Estimate.Seconds!.Value)));
        return new StartEstimate(Math.Round(requestUnits, 2), seconds, cost);
    }
}
