using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>One draw of the assumed physics.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Values">In the order of <see cref="SensitivityDraws.DrawnIn(ExperimentSpec)"/>; of a factor the factor.</param>
public sealed record PhysicsDraw(int Number, IReadOnlyList<double> Values);

/// <summary>Draws of the assumed physics, and the experiment under each of them: functions of its spec alone.</summary>
public static class SensitivityDraws
{
    /// <summary>Fewest draws that can be asked for.</summary>
    public const int Fewest = 2;

    /// <summary>Most draws that can be asked for.</summary>
    public const int Most = 99;

    private const int SignificantDigits = 4;

    /// <summary>What is drawn: all that is assumed, without what the profile of the experiment's physics measured.</summary>
    /// <param name="spec">A valid spec.</param>
    public static IReadOnlyList<PhysicsParameter> DrawnIn(ExperimentSpec spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        return DrawnIn(RunsOf(spec));
    }

    /// <summary>A Latin hypercube over the parameters of <see cref="DrawnIn(ExperimentSpec)"/>, by the experiment's seed.</summary>
    /// <param name="spec">The experiment's.</param>
    /// <param name="count">From <see cref="Fewest"/> to <see cref="Most"/>.</param>
    public static IReadOnlyList<PhysicsDraw> From(ExperimentSpec spec, int count)
    {
        var parameters = DrawnIn(spec);
        return
        [
            .. LatinHypercube.Draw(parameters.Count, count, SeedOf(spec)).Select((shares, draw) => new PhysicsDraw(
                draw + 1, [.. parameters.Select((parameter, i) => Brief(parameter.At(shares[i])))])),
        ];
    }

    /// <summary>The seed of the draws.</summary>
    public static int SeedOf(ExperimentSpec spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        return spec.Seed ?? ExperimentSpec.DefaultSeed;
    }

    /// <summary>
    /// Names of the parameters that are scaled and not replaced: those in which variants differ, so that what the experiment compares
    /// stays. The physical partitions always are.
    /// </summary>
    /// <param name="spec">A valid spec.</param>
    public static IReadOnlyList<string> ScaledIn(ExperimentSpec spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var runs = RunsOf(spec);
        return [.. DrawnIn(runs).Where(parameter => IsScaled(parameter, runs)).Select(parameter => parameter.Name)];
    }

    /// <summary>
    /// The experiment with the drawn physics in every variant. A parameter that all variants have alike is replaced by the drawn value. One
    /// in which they differ is multiplied, in each of them, by drawn value / default, so that two round trips of 1 and 80 ms stay 1 to 80;
    /// where its default is 0 it stays as it is. Physical partitions are multiplied by the drawn factor, except where the simulation names
    /// some of them. What a profile measured stays as it is, and so do variants that write to tables.
    /// </summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="draw">Of it.</param>
    public static ExperimentSpec ExperimentOf(ExperimentSpec spec, PhysicsDraw draw)
    {
        ArgumentNullException.ThrowIfNull(spec);
        ArgumentNullException.ThrowIfNull(draw);
        var runs = RunsOf(spec);
        var baseSpec = spec.Base.DeepClone().AsObject();
        baseSpec.Remove("simulation");
        return spec with
        {
            Base = baseSpec,
            Variants =
            [
                .. spec.Variants.Select((variant, i) => runs[i].Workload.Kind.UsesTables()
                    ? variant
                    : variant with { Change = With(variant.Change, Draw(runs[i], runs, draw)) }),
            ],
        };
    }

    private static IReadOnlyList<RunSpec> RunsOf(ExperimentSpec spec) =>
        [.. spec.Variants.Select((_, variant) => ExperimentRuns.FullPlanOf(spec, variant))];

    private static List<PhysicsParameter> DrawnIn(IReadOnlyList<RunSpec> runs) =>
        [.. PhysicsParameters.All.Where(parameter => !runs.Any(run => IsMeasured(parameter, run)))];

    /// <summary>
    /// Whether it is known from the account whose profile a run has. A profile leaves what it did not measure at its default; of a tail it
    /// says with the other latencies that there is none, or its quantiles hold it, and of the spread of retry-after it says nothing. Where
    /// it names no partitions it found the service's own.
    /// </summary>
    private static bool IsMeasured(PhysicsParameter parameter, RunSpec run) =>
        run.Simulation is { Profile: not null } simulation && (parameter.IsFactor || parameter.Name switch
        {
            "latency.tailShare" or "latency.tailFactor" => simulation.Latency is not null,
            "throttling.retryAfterSpread" => false,
            _ => parameter.ValueOf(run) != parameter.Default,
        });

    private static bool IsScaled(PhysicsParameter parameter, IReadOnlyList<RunSpec> runs) => parameter.IsFactor
        || runs.Where(run => !run.Workload.Kind.UsesTables()).Select(parameter.ValueOf).Distinct().Count() > 1;

    private static SimulationSpec Draw(RunSpec run, IReadOnlyList<RunSpec> runs, PhysicsDraw draw)
    {
        var simulation = run.Simulation ?? new SimulationSpec();
        foreach (var (i, parameter) in DrawnIn(runs).Index())
        {
            if (ValueIn(run, parameter, draw.Values[i], IsScaled(parameter, runs)) is { } value)
                simulation = parameter.Apply(simulation, value);
        }

        return simulation;
    }

    /// <summary>The value that a run has in a draw; null where it keeps its own.</summary>
    private static double? ValueIn(RunSpec run, PhysicsParameter parameter, double drawn, bool scaled)
    {
        if (parameter.IsFactor)
            return NamesPartitions(run.Simulation) ? null : PhysicsParameters.PartitionsAt(parameter.ValueOf(run), drawn);
        if (!scaled)
            return drawn;
        return parameter.Default > 0 ? Math.Min(parameter.Most, Brief(parameter.ValueOf(run) * drawn / parameter.Default)) : null;
    }

    private static bool NamesPartitions(SimulationSpec? simulation) =>
        simulation is not null
        && (simulation.Splits.Count > 0 || simulation.Merges.Count > 0 || simulation.Faults.Any(rule => rule.Partition is not null));

    private static JsonObject With(JsonObject change, SimulationSpec simulation)
    {
        var changed = change.DeepClone().AsObject();
        changed["simulation"] = JsonSerializer.SerializeToNode(simulation, ScaleOutJson.Compact);
        return changed;
    }

    /// <summary>Digits beyond those of the range mean nothing to a reader.</summary>
    private static double Brief(double value) =>
        double.Parse(value.ToString($"G{SignificantDigits}", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
}
