using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Api.Specs;

/// <summary>Reads specs of experiments that are submitted to a host.</summary>
internal static class ExperimentSubmission
{
    /// <summary>Reads a spec and checks it against a host's rules.</summary>
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

    /// <summary>Checks a valid spec against a host's rules.</summary>
    public static IReadOnlyList<ValidationError> ErrorsOf(ExperimentSpec spec, HostRules rules) =>
    [
        .. RunPlanner.DistinctPlansOf(spec).SelectMany(plan =>
            (spec.Limit is null ? ErrorsOf(plan.Run, rules) : ErrorsOfSearch(plan.Run, rules))
                .Select(error => error with { Path = $"{plan.Path}.{error.Path}" })),
    ];

    /// <summary>All runs of a search differ only in the rate, so a run that cannot be measured is an error.</summary>
    private static IEnumerable<ValidationError> ErrorsOfSearch(RunSpec run, HostRules rules)
    {
        foreach (var error in ErrorsOf(run, rules).Concat(HostRuleChecks.TableErrors(rules, run)))
            yield return error;
        if (rules.MachineErrors is null && InstanceLimits.WhyNotTestable(run) is { } reason)
            yield return new ValidationError("client.cores", $"{reason}; leave it out");
    }

    private static IEnumerable<ValidationError> ErrorsOf(RunSpec run, HostRules rules) =>
        [.. HostRuleChecks.Errors(rules, run), .. rules.MachineErrors?.Invoke(run) ?? []];
}

/// <summary>Reads specs of runs that are submitted to a host.</summary>
internal static class RunSubmission
{
    /// <summary>Reads a spec and checks it against a host's rules.</summary>
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

    /// <summary>Checks a valid spec against a host's rules.</summary>
    public static IReadOnlyList<ValidationError> ErrorsOf(RunSpec spec, HostRules rules) =>
    [
        .. HostRuleChecks.Errors(rules, spec), .. HostRuleChecks.TableErrors(rules, spec), .. rules.MachineErrors?.Invoke(spec) ?? [],
    ];

    /// <summary>Adds the host's simulated account to the spec, so that the spec means the same on another host.</summary>
    private static RunSpec Complete(RunSpec spec, RunTarget target) =>
        spec.TargetAmong(target) == RunTarget.SimulatedAccount ? spec with { Simulation = spec.Simulation ?? new SimulationSpec() } : spec;
}
