namespace ScaleOut.Analysis.Findings.Predictions;

/// <summary>
/// Predicts the rate that a spec's parameters alone allow, if clients and machines cost no time. It is the smaller of two rates: RU/s
/// divided by the RU of a document, and the documents in flight of all workers divided by the mean latency. A worker does no more than the
/// rate that it is asked for.
/// </summary>
internal static class PredictedRate
{
    /// <summary>Documents per second, or operations per second for queries. Null if nothing is known that limits the rate.</summary>
    /// <param name="simulated">Whether the run uses the simulated account, whose latency is known.</param>
    public static double? From(RunSpec spec, bool simulated)
    {
        var steady = Steady(spec);
        var limits = new List<double>();
        if (spec.Container.Name is null && ChargeOf(spec) is > 0 and var charge)
            limits.Add(spec.Container.Throughput / charge);
        var clients = Enumerable.Range(0, spec.Workers).Select(worker => ClientRate(steady, worker, simulated)).ToList();
        if (clients.TrueForAll(rate => rate is not null))
            limits.Add(clients.Sum(rate => rate!.Value));
        return limits.Count == 0 ? null : limits.Min();
    }

    /// <summary>Rate of the second spec / rate of the first one on the simulated account. Null if either is unknown.</summary>
    public static double? Ratio(RunSpec baseline, RunSpec changed) =>
        From(changed, simulated: true) is > 0 and var above && From(baseline, simulated: true) is > 0 and var below ? above / below : null;

    /// <summary>The rate that the parameters allow in one step of a load on the simulated account.</summary>
    /// <param name="step">From 0.</param>
    public static double? OfStep(RunSpec spec, int step) =>
        From(spec with { Workload = spec.Workload with { Steps = [spec.Workload.Steps![step]] } }, simulated: true);

    /// <summary>RU of one document that is written, read or deleted, or of one query.</summary>
    public static double ChargeOf(RunSpec spec)
    {
        return RunEstimate.From(spec, RunTarget.SimulatedAccount).RequestUnits / spec.Documents;
    }

    /// <summary>Documents per second of one worker with unlimited RU/s. Null if neither latency nor rate is known.</summary>
    private static double? ClientRate(RunSpec spec, int worker, bool simulated)
    {
        var settings = spec.SettingsOf(worker);
        var limits = new List<double>();
        if (settings.Rate is { } rate)
            limits.Add(rate);
        if (simulated)
        {
            var milliseconds = spec.Workload.ThinkTime.TotalMilliseconds + PredictedLatency.MeanMs(spec, settings);
            if (milliseconds > 0)
                limits.Add(1000 * RunEstimate.DocumentsInFlight(spec.Workload, settings) / milliseconds);
        }

        return limits.Count == 0 ? null : limits.Min();
    }

    /// <summary>Replaces the steps of a load by their mean number of users and their mean rate.</summary>
    private static RunSpec Steady(RunSpec spec)
    {
        if (spec.Workload.Steps is not { Count: > 0 } steps)
            return spec;
        var total = spec.Workload.StepsDuration!.Value.TotalSeconds;
        var users =
            steps.Sum(
                step =>
                    step.Duration.TotalSeconds * Enumerable.Range(0, spec.Workers)
                        .Sum(worker => step.ConcurrencyOf(worker, spec.Workers) ?? 0)) / total;
        var rate = steps.Sum(step => step.Duration.TotalSeconds * (step.Rate ?? 0)) / total;
        return spec with
        {
            Workload = spec.Workload with { Steps = null },
            Client = spec.Client with { Concurrency = Math.Max(1, (int)Math.Round(users / spec.Workers)), Rate = rate > 0 ? rate : null },
        };
    }
}

/// <summary>The effect that parameters of the simulated account alone predict.</summary>
/// <param name="Parameters">Such as <c>gatewayHopMs = 2</c>.</param>
/// <param name="Predicted">The predicted effect, the same ratio as the finding's effect. Null if the parameters give no figure.</param>
internal sealed record Assumption(string Parameters, double? Predicted)
{
    /// <summary>A sentence about another measurement that the parameters do not predict. Null if there is none.</summary>
    public string? Unpredicted { get; init; }
}
