namespace ScaleOut.DevBox.Display;

/// <summary>An experiment, or a search for a limit, in one line before it begins.</summary>
internal static class ExperimentHeading
{
    /// <param name="place">Where its runs go, such as the account's host.</param>
    public static string From(ExperimentSpec spec, string place) => spec.Limit is { } limit
        ? $"limit {spec.Id}: from {Numbers.Rate(limit.FirstRate)}/s, runs of "
            + $"{Numbers.Duration(limit.StepDuration)}, {place}; a rate holds when {LimitCondition.From(limit).Text}"
        : $"experiment {spec.Id}: {Numbers.Count(spec.Variants.Count)} variants x {Numbers.Count(spec.Repeats)}"
            + $"{(spec.Scale == 1 ? "" : $", scaled to {spec.Scale}")}, {place}";

    /// <summary>How long an experiment will take.</summary>
    public static string TimeOf(ExperimentEstimate estimate) =>
        $"about {Numbers.Duration(estimate.Seconds)} (an estimate): {Words.Amount(estimate.Runs, "run")}, at work "
        + $"for {Numbers.Duration(estimate.RunSeconds)} by RU/s, rates and latency, and about "
        + $"{Numbers.Brief(ExperimentEstimate.AroundRunSeconds)} s around each; longer where this machine is the limit";
}
