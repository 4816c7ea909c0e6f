using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Api.Specs;

/// <summary>Specs of experiments, as a host takes them.</summary>
internal static class ExperimentSubmission
{
    /// <summary>Reads a spec under a host's rules.</summary>
    public static ReadResult<ExperimentSpec> Read(string text, HostRules rules)
    {
        var reading = ExperimentSpecReader.Read(text, rules.Target, fields =>
        {
            if (rules.LegDuration is not { } leg)
                return;
            if (fields["base"] is null)
                fields["base"] = new JsonObject();
            if (fields["base"] is JsonObject run && run["legDuration"] is null)
                run["legDuration"] = DurationText.Format(leg);
        });
        if (reading.Value is not { } spec)
            return reading;
        var errors = ErrorsOf(spec, rules);
        return errors.Count > 0 ? new(null, errors) : reading;
    }

    /// <summary>The errors of a valid spec that breaks a host's rules.</summary>
    public static IReadOnlyList<ValidationError> ErrorsOf(ExperimentSpec spec, HostRules rules) => spec.Limit is not null
        ? [.. ErrorsOfSearch(LimitRuns.FirstPlanOf(spec), rules).Select(error => error with { Path = $"base.{error.Path}" })]
        : [.. spec.Variants.SelectMany((_, variant) => ErrorsOf(ExperimentRuns.FullPlanOf(spec, variant), rules)
            .Select(error => error with { Path = SpecPath.Item("variants", variant) + ".change." + error.Path }))];

    /// <summary>All runs of a search are alike. A run that cannot be measured is therefore an error.</summary>
    private static IEnumerable<ValidationError> ErrorsOfSearch(RunSpec run, HostRules rules)
    {
        foreach (var error in ErrorsOf(run, rules).Concat(HostRuleChecks.TableErrors(rules, run)))
            yield return error;
        if (rules.MachineErrors is null && InstanceLimits.WhyNotTestable(run) is { } reason)
            yield return new ValidationError("client.cores", $"{reason}; leave it out");
    }

    private static IEnumerable<ValidationError> ErrorsOf(RunSpec run, HostRules rules) =>
        [.. HostRuleChecks.Errors(rules, run), .. rules.MachineErrors?.Invoke(run) ?? []];

    /// <summary>A claimed spec.</summary>
    /// <exception cref="EvidenceException">It is no valid spec, or was made by another version of the program.</exception>
    public static ExperimentSpec Reread(string id, byte[] json)
    {
        var reading = ExperimentSpecReader.Read(Encoding.UTF8.GetString(json));
        return reading.Value
            ?? throw EvidenceException.Damaged($"{id}/{ExperimentFiles.SpecName}", $"it is no valid spec: {reading.Errors[0]}");
    }
}

/// <summary>Specs of runs, as a host takes them.</summary>
internal static class RunSubmission
{
    /// <summary>Reads a spec under a host's rules.</summary>
    public static ReadResult<RunSpec> Read(string text, HostRules rules)
    {
        JsonObject? edited = null;
        var reading = RunSpecReader.Read(text, rules.Target, fields =>
        {
            if (rules.LegDuration is { } leg && fields["legDuration"] is null)
                fields["legDuration"] = DurationText.Format(leg);
            edited = (JsonObject)fields.DeepClone();
        });
        var errors = reading.Errors;
        if (reading.Value is { } spec)
            errors = ErrorsOf(spec, rules);
        else if (edited is not null)
            errors = [.. errors, .. HostRuleChecks.Errors(rules, edited, errors)];
        return errors.Count > 0 ? new(null, errors) : new(Complete(reading.Value!, rules.Target), []);
    }

    /// <summary>The errors of a valid spec that breaks a host's rules.</summary>
    public static IReadOnlyList<ValidationError> ErrorsOf(RunSpec spec, HostRules rules) =>
    [
        .. HostRuleChecks.Errors(rules, spec), .. HostRuleChecks.TableErrors(rules, spec), .. rules.MachineErrors?.Invoke(spec) ?? [],
    ];

    /// <summary>Says in the spec itself what its host makes of it, so that it means the same elsewhere.</summary>
    private static RunSpec Complete(RunSpec spec, RunTarget target) =>
        spec.TargetAmong(target) == RunTarget.SimulatedAccount ? spec with { Simulation = spec.Simulation ?? new SimulationSpec() } : spec;
}
