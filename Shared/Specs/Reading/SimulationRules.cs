using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>Rules of a simulation's latency and throttling that span fields.</summary>
/// <param name="simulation">Invalid fields hold their defaults.</param>
/// <param name="checks">Receives the errors.</param>
internal sealed class SimulationRules(SimulationSpec simulation, RuleChecks checks)
{
    public void Check()
    {
        CheckQuantiles("simulation.latency.writeQuantiles", simulation.Latency?.WriteQuantiles);
        CheckQuantiles("simulation.latency.readQuantiles", simulation.Latency?.ReadQuantiles);
        if (simulation.Profile is { } profile && !checks.IsInvalidWithin("simulation.profile"))
            checks.Rule(profile.Instant() is null, "simulation.profile.measuredAt", $"{profile.MeasuredAt} is no instant of the calendar");
        if (simulation.Throttling is { } throttling)
        {
            checks.Rule(throttling.RetryAfterMaxMs < throttling.RetryAfterMinMs, "simulation.throttling.retryAfterMaxMs",
                $"{throttling.RetryAfterMaxMs} is less than retryAfterMinMs {throttling.RetryAfterMinMs}",
                "simulation.throttling.retryAfterMinMs");
        }
    }

    private void CheckQuantiles(string path, IReadOnlyList<LatencyQuantile>? quantiles)
    {
        if (quantiles is null || checks.IsInvalidWithin(path))
            return;
        for (var i = 0; i < quantiles.Count; i++)
        {
            var (probability, ms) = quantiles[i];
            var point = SpecPath.Item(path, i);
            checks.Rule(probability is not (> 0 and < 1), SpecPath.Item(point, 0),
                FormattableString.Invariant($"{probability} is no probability between 0 and 1"));
            checks.Rule(ms <= 0, SpecPath.Item(point, 1),
                FormattableString.Invariant($"{ms} is out of range: above 0, at most {LatencyProfile.MostMs}"));
            if (i == 0)
                continue;
            var before = quantiles[i - 1];
            checks.Rule(probability <= before.Probability, SpecPath.Item(point, 0),
                FormattableString.Invariant($"{probability} is not above the {before.Probability} before it"));
            checks.Rule(ms < before.Ms, SpecPath.Item(point, 1),
                FormattableString.Invariant($"{ms} is less than the {before.Ms} before it"));
        }
    }
}
