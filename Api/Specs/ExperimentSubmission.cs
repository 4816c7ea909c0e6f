using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Api.Hosts;
using ScaleOut.Evidence;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;
using ScaleOut.Validation;

namespace ScaleOut.Api.Specs;

/// <summary>Plans of experiments, as a host takes them.</summary>
internal static class ExperimentSubmission
{
    /// <summary>Reads a plan under a host's rules. The spec is null exactly when there are faults.</summary>
    public static (ExperimentSpec? Spec, IReadOnlyList<SpecFault> Faults) Read(string text, HostRules rules)
    {
        var reading = ExperimentSpecReader.Read(text, rules.Target, fields =>
        {
            if (rules.LegDuration is not { } leg)
                return;
            if (fields["base"] is null)
                fields["base"] = new JsonObject();
            if (fields["base"] is JsonObject plan && plan["legDuration"] is null)
                plan["legDuration"] = DurationText.Format(leg);
        });
        if (reading.Spec is not { } spec)
            return (null, reading.Faults);
        var faults = FaultsOf(spec, rules);
        return faults.Count > 0 ? (null, faults) : (spec, []);
    }

    /// <summary>What of a valid spec a host does not take.</summary>
    public static IReadOnlyList<SpecFault> FaultsOf(ExperimentSpec spec, HostRules rules) =>
        [.. spec.Variants.SelectMany((_, variant) => FaultsOf(ExperimentRuns.FullPlanOf(spec, variant), rules)
            .Select(fault => fault with { Path = SpecPath.Item("variants", variant) + ".change." + fault.Path }))];

    private static IEnumerable<SpecFault> FaultsOf(RunSpec plan, HostRules rules) =>
        [.. HostLimits.Faults(rules, plan), .. rules.MachineErrors?.Invoke(plan) ?? []];

    /// <summary>A claimed spec.</summary>
    /// <param name="id">Of the experiment.</param>
    /// <param name="json">What was stored.</param>
    /// <exception cref="EvidenceException">It is no valid spec, or was made by another version of the program.</exception>
    public static ExperimentSpec Reread(string id, byte[] json)
    {
        var reading = ExperimentSpecReader.Read(Encoding.UTF8.GetString(json));
        return reading.Spec ?? throw EvidenceException.Damaged($"{id}/{ExperimentFiles.SpecName}", $"it is no valid spec: {reading.Faults[0]}");
    }
}

/// <summary>Plans of runs, as a host takes them.</summary>
internal static class RunSubmission
{
    /// <summary>Reads a plan under a host's rules. The spec is null exactly when there are faults.</summary>
    public static (RunSpec? Spec, IReadOnlyList<SpecFault> Faults) Read(string text, HostRules rules)
    {
        JsonObject? plan = null;
        var reading = RunSpecReader.Read(text, rules.Target, fields =>
        {
            if (rules.LegDuration is { } leg && fields["legDuration"] is null)
                fields["legDuration"] = DurationText.Format(leg);
            plan = (JsonObject)fields.DeepClone();
        });
        var faults = reading.Faults;
        if (reading.Spec is { } spec)
            faults = [.. HostLimits.Faults(rules, spec), .. rules.MachineErrors?.Invoke(spec) ?? []];
        else if (plan is not null)
            faults = [.. faults, .. HostLimits.Faults(rules, plan, faults)];
        return faults.Count > 0 ? (null, faults) : (Complete(reading.Spec!, rules.Target), []);
    }

    /// <summary>A claimed spec.</summary>
    /// <param name="id">Of the run.</param>
    /// <param name="json">What was stored.</param>
    /// <exception cref="EvidenceException">It is no valid spec, or was made by another version of the program.</exception>
    public static RunSpec Reread(string id, byte[] json)
    {
        var reading = RunSpecReader.Read(Encoding.UTF8.GetString(json));
        return reading.Spec ?? throw EvidenceException.Damaged($"{id}/spec.json", $"it is no valid spec: {reading.Faults[0]}");
    }

    /// <summary>Says in the spec itself what its host makes of it, so that it means the same elsewhere.</summary>
    private static RunSpec Complete(RunSpec spec, RunTarget target) =>
        target == RunTarget.SimulatedAccount ? spec with { Simulation = spec.Simulation ?? new SimulationSpec() } : spec;
}
