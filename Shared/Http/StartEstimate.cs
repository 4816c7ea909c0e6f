using System.Text.Json.Serialization;
using ScaleOut.Sizing;
using ScaleOut.Specs;

namespace ScaleOut.Http;

/// <summary>What something that is started will take at least.</summary>
/// <param name="RequestUnits">RU of all operations.</param>
/// <param name="Seconds">At least; null when nothing that limits it is known.</param>
/// <param name="Cost">Of the container and the workers; left out without prices, for the simulated account, and when the time is not known.</param>
internal sealed record StartEstimate(double RequestUnits, double? Seconds, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] StartCost? Cost)
{
    private const double SecondsPerHour = 3600;

    /// <summary>Estimates runs that go one after the other.</summary>
    public static StartEstimate Of(IEnumerable<RunSpec> runs, HostRules rules)
    {
        var (requestUnits, seconds, money) = (0.0, (double?)0.0, rules.Prices is null || rules.Target == RunTarget.SimulatedAccount ? (double?)null : 0.0);
        foreach (var run in runs)
        {
            var estimate = RunEstimate.Of(run, rules.Target);
            requestUnits += estimate.RequestUnits + estimate.PopulationRequestUnits;
            seconds += estimate.Seconds;
            money = money is { } soFar && estimate.Seconds is { } time ? soFar + CostOf(run, time, rules.Prices!) : null;
        }

        return new StartEstimate(Math.Round(requestUnits, 2), seconds, money is { } total ? new StartCost(rules.Prices!.Currency, Math.Round(total, 4)) : null);
    }

    /// <summary>Provisioned throughput is billed by the hour that has begun, of a container that the run makes; an existing one is billed anyway.</summary>
    private static double CostOf(RunSpec run, double seconds, PriceList prices)
    {
        var container = run.Container.Name is null ? run.Container.Throughput * prices.RequestUnitPerSecondHour * Math.Max(1, Math.Ceiling(seconds / SecondsPerHour)) : 0;
        return container + (run.Workers * seconds * prices.InstanceSecond);
    }
}
