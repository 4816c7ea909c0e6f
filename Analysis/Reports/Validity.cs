namespace ScaleOut.Analysis.Reports;

/// <summary>How the machine that a run shared came into its figures; the first in this order that holds.</summary>
internal enum MachineEffect
{
    /// <summary>Responses of the simulated account slipped (<see cref="DelayReport.HaveSlipped"/>).</summary>
    LateDelays,

    /// <summary>The machine's cores were at their limit.</summary>
    FullMachine,

    /// <summary>Attempts took longer than the account and the clients' own CPU did.</summary>
    Waits,
}

/// <summary>
/// Which figures of a run are valid, by the kind of figure. Counts, RU, charges and the verification always are; <see cref="RunFigures"/>
/// says what holds for rates and latencies. The share of 429s goes with the rate.
/// </summary>
internal static class Validity
{
    /// <summary>Used share of a budget from which the rate is the budget's: no machine could raise it by more than the rest.</summary>
    public const double BudgetShare = 0.97;

    /// <summary>Achieved share of the asked rate from which an open loop's rate is the one that was asked for.</summary>
    public const double AchievedShare = 0.99;

    /// <summary>The smallest part of a percentile that is named as the machine's, ms.</summary>
    private const double NamedMs = 0.05;

    /// <summary>
    /// Whether a budget or the schedule sets the rate, so that a faster machine would not change it. Burst credit comes on top of a budget,
    /// so a budget with it sets nothing.
    /// </summary>
    public static bool RateIsFixed(RunReport report)
    {
        var used = report.Utilization;
        if (report.BoundBy is null or BoundBy.Errors)
            return false;
        var ofBudget = report.BoundBy == BoundBy.Partition ? used?.PartitionRequestUnits : used?.RequestUnits;
        return (ofBudget >= BudgetShare && report.Spec.Simulation?.Burst != true)
            || used?.PermittedRequestUnits >= BudgetShare || KeptSchedule(report);
    }

    /// <summary>Whether attempts took longer than the account's delays and the clients' own CPU by as much as a late response.</summary>
    public static bool Waited(RunReport report)
    {
        if (report.LatencyMs.IncludesWarmup || report.Delays is not { ClientMs: { } clientMs, DeliveredMs: var delivered })
            return false;
        return IsLonger("p50", delivered.P50) || IsLonger("p99", delivered.P99);

        bool IsLonger(string percentile, double? deliveredMs) => WaitMs(report, percentile) is { } waitMs && deliveredMs is { } known
            && TimeSpan.FromMilliseconds(known + clientMs) is var due
            && DeliveredDelays.IsSlip(due, due + TimeSpan.FromMilliseconds(waitMs));
    }

    /// <summary>
    /// By how much a percentile of the attempts is longer than that of the delivered delays and the clients' own CPU, ms; null if it is not
    /// known.
    /// </summary>
    /// <param name="name">The percentile by its name in conditions, or a name that ends in it.</param>
    public static double? WaitMs(RunReport report, string name)
    {
        var percentile = name[(name.LastIndexOf('.') + 1)..];
        double? Of(LatencySummary? latency) => latency is null
            ? null
            : ConditionName.LatenciesOf(latency).FirstOrDefault(one => one.Key == percentile).Value;
        return Of(report.LatencyMs.Attempt) - Of(report.Delays?.DeliveredMs) - report.Delays?.ClientMs is { } waitMs
            ? Math.Max(0, waitMs)
            : null;
    }

    /// <summary>The rate, with the share of 429s, and the latencies, as far as they are not valid.</summary>
    public static IEnumerable<InvalidFigures> Of(RunReport report)
    {
        // Nothing bounds a run that measured nothing.
        if (report.BoundBy is null)
            yield break;
        var figures = RunFigures.From(report);
        if (figures.RateSpoiledBy is { } ofRate)
            yield return new(
                "rate and share of 429s",
                $"The rate and the share of 429s are this machine's and count for no finding about rates: {Cause(report, ofRate)}.");
        if (figures.LatencySpoiledBy is not { } ofLatency)
            yield break;
        var cause = figures.RateSpoiledBy == ofLatency ? "" : $": {Cause(report, ofLatency)}";
        var rest = figures.RateIsFixed ? $" The rate is {Setter(report)}; a faster machine would not change it." : "";
        yield return new(
            "latencies",
            $"Latencies are in part this machine's and count for no finding about latencies{cause}.{PartsOf(report, figures)}{rest}");
    }

    /// <summary>How the machine came into the figures, as the end of a sentence.</summary>
    public static string Text(MachineEffect effect, double? machineShare = null) => effect switch
    {
        MachineEffect.LateDelays => DelayReport.BusyMachine,
        MachineEffect.FullMachine when machineShare is null => "the machine was full",
        MachineEffect.FullMachine => $"the machine was full: its cores were {Numbers.Percent(machineShare)} busy",
        _ => "attempts took longer than the account's delays and the clients' own CPU, so they waited for the machine's cores",
    };

    private static string Cause(RunReport report, MachineEffect effect) => Text(effect, report.Utilization?.Machine)
        + (effect == MachineEffect.LateDelays
            ? $" ({Numbers.Percent(report.Delays?.SlippedShare)} of them by more than 1 ms and 10%)"
            : "");

    /// <summary>What set a rate that is fixed.</summary>
    private static string Setter(RunReport report) => report.BoundBy is BoundBy.RequestUnits or BoundBy.Partition
        ? "the budget's"
        : report.Spec.IsPaced() ? "that of the RU/s that the spec permits" : "the one that was asked for";

    private static bool KeptSchedule(RunReport report) => report.Throughput.AskedPerSecond is { } asked
        ? ReportNumbers.AchievedShare(report, asked) >= AchievedShare
        : report.Utilization?.KeptSchedule == true && !report.Spec.HasPace();

    /// <summary>How much of the attempts' percentiles is the machine's at least, as a sentence with a space before it.</summary>
    private static string PartsOf(RunReport report, RunFigures figures)
    {
        if (report.Delays is not { } delays)
            return " How much of them is not known, because the account's delays are not.";
        var attempt = report.LatencyMs.Attempt;
        var parts = new[]
        {
            Part("p50", attempt.P50, delays.SlipMs.P50), Part("p99", attempt.P99, delays.DeliveredMs.P99 - delays.ConfiguredMs.P99),
        };
        return parts.Any(part => part is not null) ? $" Attempts: {string.Join("; ", parts.OfType<string>())}." : "";

        string? Part(string name, double? taken, double? lateMs)
        {
            var part = Math.Max(0, lateMs ?? 0) + (figures.Waited ? WaitMs(report, name) ?? 0 : 0);
            return part < NamedMs ? null : $"{name} {Numbers.Brief(taken)} ms, at least {Numbers.Brief(part)} ms of it this machine's";
        }
    }
}
