namespace ScaleOut.Analysis.Limits;

/// <summary>Sentences that summarize the result of a search.</summary>
internal static class LimitSentences
{
    /// <summary><see cref="LimitFit.Resemblance"/> from which it is worth a sentence.</summary>
    private const double MinResemblance = 1.05;

    /// <summary>The rate with its interval, what stopped it, with how many workers and operations in flight: one line.</summary>
    public static string Headline(LimitReport report)
    {
        var (limit, words) = (report.Limit, WordsOf(report));
        var confidence = Numbers.Percent(report.Spec.Limit!.Confidence);
        var interval = $"{Rate(limit.Low)} to {Rate(limit.High)}/s";
        return limit.End switch
        {
            LimitEnd.Refined =>
                $"{Rate(limit.Rate)} {words}/s hold ({confidence} interval {interval}){Done(limit)}{StoppedBy(report)}{By(report)}.",
            LimitEnd.NotRefined => $"{Rate(limit.Rate)} {words}/s hold ({confidence} interval {interval}, wider than asked for: "
                + $"{(IsInconclusiveAtEnd(report) ? "the last runs are inconclusive" : "the runs are used up")})"
                + $"{Done(limit)}{StoppedBy(report)}{By(report)}.",
            LimitEnd.HoldsAll => $"{Rate(limit.Rate)} {words}/s hold, the highest rate that was to be tried{Done(limit)}{By(report)}.",
            LimitEnd.NoneHolds => $"No rate holds, not even {Rate(LimitSpec.MinRate)} {words}/s"
                + (HighestAbove(report) is { } highest ? $", and none up to {Rate(highest)}/s either" : "") + $"{StoppedBy(report)}.",
            LimitEnd.Unknown => $"No limit can be shown from these runs: {Doubt(report)}.",
            LimitEnd.FullMachine => (FullAt(report) is { } full
                ? $"The machine was full, so runs at {Rate(full)}/s and above are inconclusive"
                : "The machine was full in several runs in a row, which are inconclusive") + $"{SoFar(limit)}.",
            LimitEnd.GivenUp => $"Given up: several runs in a row are inconclusive{SoFar(limit)}.",
            _ => $"Stopped before its end{SoFar(limit)}.",
        };
    }

    /// <summary>The headline, and then what the rate is evidence about.</summary>
    public static IReadOnlyList<string> Result(LimitReport report) =>
        [report.Limit.Text, .. Advice(report).Evidence is { } evidence ? [evidence] : Array.Empty<string>()];

    /// <summary>What to change; null if nothing stopped the search.</summary>
    public static string? Next(LimitReport report) => Advice(report).Next;

    /// <summary>What bound the highest rate; null if it is not known.</summary>
    public static BoundBy? BoundOf(LimitReport report) =>
        BoundOf(report.Limit.StoppedBy) ?? (report.Limit.End == LimitEnd.HoldsAll ? BoundBy.Rate : null);

    private static (string? Evidence, string? Next) Advice(LimitReport report)
    {
        if (report.Limit.End is LimitEnd.Unknown or LimitEnd.FullMachine)
            return (null, $"Next step: {NextStepOf(report.Limit)}.");
        var used = LimitCauses.Example(report.Steps, report.Limit.StoppedBy, report.MaxInFlight)?.Utilization;
        var bound = BoundOf(report);
        if (report.Limit.StoppedBy == LimitCause.Throttling)
            return (
                $"429s came while {Numbers.Percent(used?.RequestUnits)} of the container's RU/s were used.",
                "Next step: look at the partitions: keys that spread more evenly, or more throughput (RU/s).");
        if (report.Limit.End == LimitEnd.NoneHolds && bound is null or BoundBy.Latency)
            return (null, NextStepWithoutAnyRate);
        if (bound is not { } known)
            return (null, null);
        return (
            known == BoundBy.Machine
                ? null
                : $"{Words.Capital(NextStep.EvidenceFor(known, report.Simulated, usesTables: WorkloadOf(report).UsesTables()))}.",
            report.Limit.StoppedBy == LimitCause.Latency
                ? "Next step: permit a higher latency, or look for what the slowest operations wait for."
                : NextStep.From(known, used));
    }

    private const string NextStepWithoutAnyRate =
        "Next step: a condition that one operation alone meets. An interval needs a condition that holds below the limit and not above "
            + "it, such as a p99 that rises with the rate; if low rates fail for a reason of their own (connections, warm-up, batches that "
            + "fill slowly), begin higher (from).";

    /// <summary>The highest rate that was tried above the first one; null if none was.</summary>
    private static double? HighestAbove(LimitReport report) =>
        report.Steps is [.., { Rate: var highest }] && highest > report.Spec.Limit!.FirstRate ? highest : null;

    /// <summary>Why no limit can be shown.</summary>
    private static string Doubt(LimitReport report)
    {
        var rates = report.Steps is [var lowest, .., var highest] ? $"{Rate(lowest.Rate)} to {Rate(highest.Rate)}/s" : "one rate";
        return report.Limit.Doubt switch
        {
            LimitDoubt.NoSlope => $"whether a run holds does not depend on its rate, as far as they show from {rates}",
            LimitDoubt.Drift when report.Limit.Fit!.Resemblance == 1 =>
                "they drift: runs that follow each other hold or fail alike more often than by chance",
            LimitDoubt.Drift => "they drift. Neighbouring runs resemble each other, so that "
                + $"{Words.Amount(report.Limit.Fit!.Runs, "run")} say as much as "
                + $"{Numbers.Brief(Math.Round(report.Limit.Fit.Runs / report.Limit.Fit.Resemblance))} that do not",
            _ => $"it may lie outside the rates that were measured, {rates}",
        };
    }

    private static string NextStepOf(LimitSummary limit) => limit switch
    {
        { End: LimitEnd.FullMachine } => "a larger machine, workers on machines of their own, or a lower rate (from); if the machine was "
            + "busy with other work, resume the search, which measures the runs that do not count again",
        { Doubt: LimitDoubt.NoSlope } => "longer steps (stepDuration), so that each run has more documents, or a wider range of "
            + "rates (from, to); else look for what fails runs at every rate",
        { Doubt: LimitDoubt.Drift } => "look for what changes with time, such as other load on the account or the machine, or spent burst "
            + "credit; longer steps (stepDuration) average over it",
        _ => "a wider range of rates (from, to), or more runs (repeats)",
    };

    private static string Done(LimitSummary limit) =>
        limit.AchievedPerSecond is { } done ? $", of which {Rate(done)}/s are done" : "";

    /// <summary>Whether the search ended before its runs were used up.</summary>
    private static bool IsInconclusiveAtEnd(LimitReport report) =>
        report.Steps.Sum(step => step.Runs.Count) < LimitSearch.MaxRunsOf(report.Spec.Limit!);

    /// <summary>Lowest rate at which every run met a full machine; null if none did.</summary>
    private static double? FullAt(LimitReport report) => report.Steps.FirstOrDefault(step => step.Held + step.Failed == 0)?.Rate;

    /// <summary>How much the runs differ, by themselves.</summary>
    internal static string Noise(LimitFit fit) =>
        $"the runs' own limits differ by about {fit.Deviation:0.#%} (one standard deviation), and about {fit.LapseShare:0.#%} of the runs "
        + $"fail for another reason";

    /// <summary>How much was measured, and how it was judged.</summary>
    public static string Method(LimitReport report)
    {
        var spec = report.Spec.Limit!;
        var runs = report.Steps.Sum(step => step.Runs.Count);
        return $"{Words.Amount(runs, "run")} of {Numbers.Duration(spec.StepDuration)} at {Words.Amount(report.Steps.Count, "rate")}. "
            + $"A rate holds in a run when {report.Condition}; the limit is the rate that half of the runs hold. {RestsOn(report)}";
    }

    /// <summary>What the interval rests on.</summary>
    private static string RestsOn(LimitReport report)
    {
        if (report.Limit.Fit is not { } fit)
            return "No interval was estimated.";
        var noise = $"By these runs themselves, {Noise(fit)}.";
        if (report.Limit.Doubt is not null)
            return noise;
        return $"The {Numbers.Percent(report.Spec.Limit!.Confidence)} are the probability that the limit lies in the interval by the "
            + $"{Words.Amount(fit.Runs, "run")} that count: a logistic curve of the chance to hold, whose place, spread and lapses are all "
            + $"estimated from them. {noise}"
            + (fit.Resemblance > MinResemblance
                ? $" Neighbouring runs resemble each other: each counts as 1/{Numbers.Brief(fit.Resemblance)}."
                : "");
    }

    /// <summary>What a rate counts, such as <c>inserts</c>.</summary>
    internal static string WordsOf(LimitReport report) =>
        WorkloadWords.From(WorkloadOf(report)).Plural.ToLowerInvariant();

    private static WorkloadKind WorkloadOf(LimitReport report) =>
        LimitPlanner.PlanOf(report.Spec, report.Spec.Limit!.FirstRate).Workload.Kind;

    /// <summary>A rate: whole from 1,000 on, below that with up to three decimals.</summary>
    internal static string Rate(double? rate) => rate is { } known
        ? known >= 1_000 ? Numbers.Count(known) : Numbers.Rate(known)
        : "?";

    private static string SoFar(LimitSummary limit) => (limit.Low, limit.High) switch
    {
        ({ } low, { } high) => $"; so far the limit lies between {Rate(low)} and {Rate(high)}/s",
        ({ } low, null) => $"; so far {Rate(low)}/s hold",
        (null, { } high) => $"; so far {Rate(high)}/s fail",
        _ => "",
    };

    private static string By(LimitReport report)
    {
        var inFlight = report.InFlight is { } mean
            ? $"about {Numbers.Brief(mean)} of {Numbers.Count(report.MaxInFlight)} operations"
            : $"{Numbers.Count(report.MaxInFlight)} operations";
        return $"; by {Words.Amount(report.Workers, "worker")} with {inFlight} in flight";
    }

    private static string StoppedBy(LimitReport report)
    {
        if (LimitCauses.Example(report.Steps, report.Limit.StoppedBy, report.MaxInFlight) is not { } run)
            return "";
        var (used, bound) = (run.Utilization, Words.From(BoundOf(report.Limit.StoppedBy)));
        return "; stopped by " + report.Limit.StoppedBy switch
        {
            LimitCause.RequestUnits => $"{bound}: {Numbers.Percent(used?.RequestUnits)} of {Numbers.Brief(run.BudgetPerSecond)} RU/s "
                + $"used, {Numbers.Percent(run.ThrottledShare)} of the attempts throttled",
            LimitCause.Partition => $"{bound}: {Sentences.Limit(used)}",
            LimitCause.Client => $"{bound}: the busiest worker used {Numbers.Percent(used?.Client)} of its cores",
            LimitCause.Machine => $"{bound}, whose cores were {Numbers.Percent(used?.Machine)} busy: this says something about this "
                + "machine, not Cosmos DB",
            LimitCause.Throttling => $"throttling: {Numbers.Percent(run.ThrottledShare)} of the attempts got a 429",
            LimitCause.Latency => $"{bound}: p99 {Numbers.Brief(run.LatencyMs?.P99)} ms, and {run.Reason} is not met",
            LimitCause.InFlight => $"the {Numbers.Count(report.MaxInFlight)} operations in flight, which all waited for their responses",
            LimitCause.Errors => $"errors: {Words.Amount(run.Errors ?? 0, "attempt")} ended in one",
            _ => $"the condition: {run.Reason} is not met",
        };
    }

    private static BoundBy? BoundOf(LimitCause? cause) => cause switch
    {
        LimitCause.RequestUnits => BoundBy.RequestUnits,
        LimitCause.Partition => BoundBy.Partition,
        LimitCause.Client => BoundBy.Client,
        LimitCause.Machine => BoundBy.Machine,
        LimitCause.InFlight or LimitCause.Latency => BoundBy.Latency,
        _ => null,
    };
}
