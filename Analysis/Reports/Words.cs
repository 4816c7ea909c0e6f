using System.Globalization;
using ScaleOut.Analysis.Text;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Reports;

/// <summary>Small phrases that every form of the report shares.</summary>
public static class Words
{
    /// <summary>A count with its noun, such as <c>1 worker</c> or <c>2,000 workers</c>.</summary>
    public static string Amount(long count, string noun) => $"{Numbers.Count(count)} {noun}{(count == 1 ? "" : "s")}";

    /// <summary>Names workers, with runs of indices drawn together: <c>Worker 3</c>, <c>Workers 0-3, 7</c>.</summary>
    public static string Workers(IReadOnlyList<int> indices)
    {
        ArgumentNullException.ThrowIfNull(indices);
        var sorted = indices.Distinct().Order().ToList();
        var parts = new List<string>();
        for (var i = 0; i < sorted.Count;)
        {
            var last = i;
            while (last + 1 < sorted.Count && sorted[last + 1] == sorted[last] + 1)
                last++;
            parts.Add(last == i
                ? sorted[i].ToString(CultureInfo.InvariantCulture)
                : string.Create(CultureInfo.InvariantCulture, $"{sorted[i]}-{sorted[last]}"));
            i = last + 1;
        }

        return $"{(sorted.Count == 1 ? "Worker" : "Workers")} {string.Join(", ", parts)}";
    }

    /// <summary>What bound a run, such as <c>request units</c>.</summary>
    public static string From(BoundBy? bound) => bound switch
    {
        BoundBy.RequestUnits => "request units",
        BoundBy.Partition => "one partition",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Machine => "the machine",
        BoundBy.Rate => "the rate asked for",
        BoundBy.Latency => "latency",
        _ => "what is not known",
    };
}

/// <summary>The few sentences that say how a run went.</summary>
public static class Sentences
{
    /// <summary>
    /// What was written, by whom, in what time, how fast: all of one window, the overlap window where there is one, else the whole run.
    /// </summary>
    public static string Headline(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var (rate, words) = (report.Throughput, WorkloadWords.From(report.Spec.Workload.Kind));
        var by = $"by {Words.Amount(report.Spec.Workers, "worker")}";
        if (rate.OverlapPerSecond is { } overlap)
        {
            var all = report.Spec.Workers == 1 ? "it was at work after its warm-up" : "all were at work";
            return $"{Share((long)Math.Round(overlap * rate.OverlapSeconds))} {by} in the "
                + $"{Numbers.Duration(TimeSpan.FromSeconds(rate.OverlapSeconds))} in which {all}, {PerSecond(overlap)}";
        }

        var text = $"{Share(report.Documents.Inserted + report.Documents.AlreadyPresent)} {by}";
        if (AtWork(report) is { } time)
            text += $" in {Numbers.Duration(time)}";
        return Rate(report) is { } makespan ? $"{text}, {PerSecond(makespan)}" : text;

        string Share(long done) => done == report.Documents.Asked || report.Steps.Count > 0
            ? words.Amount(done)
            : $"{Numbers.Count(done)} of {words.Amount(report.Documents.Asked)}";
    }

    private static string PerSecond(double rate) =>
        $"{(rate < 100 ? Numbers.Brief(rate) : Numbers.Count((long)Math.Round(rate)))} per second";

    /// <summary>The state with what it means.</summary>
    public static string State(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return report.State switch
        {
            RunState.Complete => $"Complete: {Done(report)}{Proof(report)}.",
            RunState.Incomplete when report.TimeErrors.Count > 0 =>
                "Incomplete: the run came to its end, but its times contradict each other, so no rate is claimed.",
            RunState.Incomplete => "Incomplete: the run came to its end, but "
                + (report.Spec.Workload.Kind.LeavesCount()
                    ? "not everything was done."
                    : $"the {WorkloadWords.From(report.Spec.Workload.Kind).Store}'s own count does not prove every document."),
            RunState.Stopped => "Stopped: the run was stopped before its end.",
            _ when report.IsEmpty => "Failed: the run could not start, or no worker got anything done.",
            _ => "Failed: at least one worker could not go on.",
        };
    }

    private static string Done(RunReport report) => report.Steps.Count > 0
        ? "the load went through all of its steps"
        : report.Spec.Workload.Kind switch
        {
            WorkloadKind.Read => "every read is done",
            WorkloadKind.Query => "every query is done",
            WorkloadKind.Delete => "every document is deleted",
            _ => "every document is done",
        };

    private static string Proof(RunReport report) => report.Spec.Workload.Kind.LeavesCount()
        ? ""
        : $", and the {WorkloadWords.From(report.Spec.Workload.Kind).Store}'s own count "
            + $"{(report.Spec.Workload.Kind == WorkloadKind.Delete ? "fell" : "rose")} by exactly what was "
            + $"{(report.Steps.Count > 0 ? "done" : "asked")}";

    /// <summary>The limit in plain words with what would help; null when nothing ran.</summary>
    public static string? Bound(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var used = report.Utilization;
        return report.BoundBy switch
        {
            BoundBy.RequestUnits =>
                $"Bound by request units: the load used {Numbers.Percent(used?.RequestUnits)} of the container's "
                    + $"{Numbers.Brief(report.RequestUnits.BudgetPerSecond)} RU/s. More throughput would help, more workers would not.",
            BoundBy.Partition =>
                $"Bound by one physical partition: it was at its own RU limit in {Numbers.Percent(used?.PartitionSecondsAtLimit)} of the "
                    + $"seconds while the container used {Numbers.Percent(used?.RequestUnits)} of its RU/s. Keys that spread more evenly "
                    + "would help.",
            BoundBy.Client =>
                $"Bound by the clients' CPU: the busiest worker used {Shares(used?.Client, used?.ClientMax)} of its cores. More or larger "
                    + "workers would help.",
            BoundBy.Machine =>
                $"Bound by the machine: its cores were {Shares(used?.Machine, used?.MachineMax)} busy, so the rate says more about this "
                    + "machine than about the account.",
            BoundBy.Rate => "Bound by the rate asked for: every worker kept its schedule, and no limit was found.",
            BoundBy.Latency =>
                $"Bound by latency: operations in flight waited for their responses{Spare(used)}. More concurrency or more workers would "
                    + "help.",
            _ => null,
        };
    }

    /// <summary>The rate to quote: of the overlap window, else of the makespan; null when nothing ran.</summary>
    public static double? Rate(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return report.Throughput.Rate;
    }

    /// <summary>
    /// From the first start to the last end without interruptions; of a run in which no worker was at work the whole time. Null where times
    /// contradict each other.
    /// </summary>
    private static TimeSpan? AtWork(RunReport report) =>
        report.TimeErrors.Count > 0 ? null
        : report.Throughput is { MakespanSeconds: > 0 and var seconds } ? TimeSpan.FromSeconds(seconds)
        // Reports of earlier versions have the rate alone.
        : report.Throughput.MakespanPerSecond is > 0 and var rate ? TimeSpan.FromSeconds(report.Documents.Inserted / rate)
        : report.FinishedAt - report.StartedAt;

    /// <summary>A mean with the busiest second behind it, such as <c>38% (at most 97%)</c>.</summary>
    internal static string Shares(double? mean, double? max) =>
        max is null ? Numbers.Percent(mean) : $"{Numbers.Percent(mean)} (at most {Numbers.Percent(max)})";

    private static string Spare(Utilization? used)
    {
        var limits = new (string Name, double? Mean, double? Max)[]
            {
                ("RU/s", used?.RequestUnits, null), ("the busiest worker's cores", used?.Client, used?.ClientMax),
                ("the machine", used?.Machine, used?.MachineMax),
            }
            .Where(limit => limit.Mean is not null)
            .Select(limit => $"{Shares(limit.Mean, limit.Max)} of {limit.Name}")
            .ToList();
        return limits.Count == 0 ? "" : $", with {string.Join(", ", limits)} in use";
    }
}
