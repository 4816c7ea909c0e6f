using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Api.Hosts;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Api.Specs;

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
            faults = [.. HostLimits.Faults(rules, spec)];
        else if (plan is not null)
            faults = [.. faults, .. HostLimits.Faults(rules, plan, faults)];
        return faults.Count > 0 ? (null, faults) : (Complete(reading.Spec!, rules.Target), []);
    }

    /// <summary>A claimed spec.</summary>
    /// <exception cref="FormatException">It is none, or was made by another version of the program.</exception>
    public static RunSpec Reread(byte[] json)
    {
        var reading = RunSpecReader.Read(Encoding.UTF8.GetString(json));
        return reading.Spec ?? throw new FormatException($"A claimed spec is not valid: {reading.Faults[0]}");
    }

    /// <summary>Says in the spec itself what its host makes of it, so that it means the same elsewhere.</summary>
    private static RunSpec Complete(RunSpec spec, RunTarget target) =>
        target == RunTarget.SimulatedAccount ? spec with { Simulation = spec.Simulation ?? new SimulationSpec() } : spec;
}
