using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Tables;
using ScaleOut.Analysis.Sizing;
using ScaleOut.Analysis.Text;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Prediction;

/// <summary>
/// Looks for the smallest fleet that reaches a rate, by simulating fleets made of the clients of a run that was measured, on the container
/// that the rate needs.
/// </summary>
internal static class FleetSizing
{
    private const int MostWorkers = 100_000;
    private const long Operations = 1_000_000;

    /// <summary>Highest rate whose fleets are simulated where no part of a fleet can stand for all of it.</summary>
    private const double MostWhole = 100_000;

    /// <summary>A rate counts as reached from this share on, as a simulation has chance in it.</summary>
    private const double Reached = 0.995;

    /// <summary>Twice as many workers that do less than this many times the rate show that no number of them reaches it.</summary>
    private const double StillGrows = 1.02;

    /// <summary>Share to which the number of workers is refined.</summary>
    private const double Fineness = 0.01;

    /// <summary>Physical partitions that a simulation has room for.</summary>
    private const long MostPartitions = 20_000;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(30);

    /// <summary>Predicts the workers of a sizing.</summary>
    /// <param name="sized">The rate, and what the container needs for it.</param>
    /// <param name="report">Of the run that the workers are like.</param>
    public static WorkerPrediction From(SizingResult sized, RunReport report)
    {
        var errors = FleetSpecs.ErrorsOf(report.Spec).ToList();
        if (errors.Count > 0)
            return new WorkerPrediction { Notes = [.. errors.Select(error => error.TrimEnd('.'))] };

        if (sized.PhysicalPartitions > MostPartitions)
            return new WorkerPrediction
            {
                Notes = [$"no fleet on more than {Numbers.Count(MostPartitions)} physical partitions is looked for"],
            };
        var known = PredictionBase.From(report, report.Spec, cpuMs: null, overheadMs: null);
        var rate = sized.Request.InsertsPerSecond;
        var cores = CoresOf(report);
        var fleet = FleetSpecs.From(known, checked((int)sized.PhysicalPartitions)) with
        {
            Throughput = sized.RequestUnitsPerSecond, Cores = cores, Duration = Duration, MostOperations = Operations,
        };
        if (rate > MostWhole && (fleet.Bulk || fleet.PartitionWeights is not null))
        {
            return new WorkerPrediction
            {
                Notes =
                [
                    $"in bulk, and with keys that many documents share, no fleet above {Numbers.Brief(MostWhole)} a second is looked for; "
                        + "'devbox predict' with --workers simulates one",
                ],
            };
        }

        var (workers, forecast) = Search(rate, count => Simulate(report.Spec, fleet with { Workers = count }));
        return new WorkerPrediction
        {
            Workers = workers,
            PerSecond = forecast.PerSecond,
            P99Ms = forecast.OperationMs.P99,
            BoundBy = forecast.BoundBy,
            Instance = $"{WorkerTable.SettingsOf(report.Spec.SettingsOf(0) with { Cores = null })}, {Words.Amount(cores, "core")} each",
            Notes =
            [
                $"the clients are those of the run {report.Id}", .. forecast.Notes, .. known.Notes, .. FleetSpecs.LeftOutOf(report.Spec),
            ],
        };
    }

    /// <summary>The smallest number of workers that reaches a rate; without one, the number that does most.</summary>
    private static (int? Workers, FleetForecast Forecast) Search(double rate, Func<int, FleetForecast> simulate)
    {
        bool Holds(FleetForecast forecast) => forecast.PerSecond >= Reached * rate;
        var (low, most) = (1, simulate(1));
        if (Holds(most))
            return (1, most);
        var high = (int)Math.Clamp(Math.Ceiling(rate / Math.Max(most.PerSecond, 0.001)), 2, MostWorkers);
        var best = simulate(high);
        while (!Holds(best))
        {
            var (before, doubled) = (best, (int)Math.Min(2L * high, MostWorkers));
            if (doubled == high)
                return (null, best);
            (low, high) = (high, doubled);
            best = simulate(high);
            if (!Holds(best) && best.PerSecond < StillGrows * before.PerSecond)
                return (null, best.PerSecond > before.PerSecond ? best : before);
        }

        while (high - low > Math.Max(1, Fineness * high))
        {
            var middle = low + ((high - low) / 2);
            var between = simulate(middle);
            if (Holds(between))
                (high, best) = (middle, between);
            else
                low = middle;
        }

        return (high, best);
    }

    private static FleetForecast Simulate(RunSpec run, FleetSpec fleet)
    {
        var result = VirtualFleet.Simulate(fleet);
        return FleetForecast.From(run, result, [ForecastLines.Describe(fleet, result.Sample)], prices: null);
    }

    /// <summary>Cores of one worker: of workers that shared a machine with others or the account, one.</summary>
    private static int CoresOf(RunReport report) => report.Spec.SettingsOf(0).Cores
        ?? (report.Simulated || report.DistinctInstances < report.Workers.Count
            ? 1
            : report.Workers.Min(worker => worker.Machine?.Cores ?? 1));
}
