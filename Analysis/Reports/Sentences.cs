namespace ScaleOut.Analysis.Reports;

/// <summary>Sentences that summarize a run.</summary>
internal static class Sentences
{
    /// <summary>
    /// The rate of the overlap window, or else of the whole run, with its workers and time; then what the whole run has done.
    /// </summary>
    public static string Headline(RunReport report)
    {
        var (rate, words) = (report.Throughput, WorkloadWords.From(report.Spec.Workload.Kind));
        var by = $"by {Words.Amount(report.Spec.Workers, "worker")}";
        if (report.BoundBy == BoundBy.Errors)
            return $"{Errors(report)}: {WorkDone(report)} {by} before or beside them";
        if (report.MeasuredNothing)
            return $"{WorkDone(report)} {by}, of which {Numbers.Count(report.Documents.AlreadyPresent)} were found done";
        if (rate.OverlapPerSecond is { } overlap)
        {
            var all = report.Spec.Workers == 1 ? "it was at work after its warm-up" : "all were at work";
            return $"{PerSecond(overlap)} {by}, over the {Numbers.Duration(TimeSpan.FromSeconds(rate.OverlapSeconds))} in which {all}; "
                + WorkDone(report);
        }

        var time = AtWork(report) is { } known ? Numbers.Duration(known) : null;
        return rate.Rate is { } makespan && time is not null
            ? $"{PerSecond(makespan)} {by}, over the {time} from first to last; {WorkDone(report)}"
            : $"{WorkDone(report)} {by}{(time is null ? "" : $" in {time}")}";

        string PerSecond(double one)
        {
            var text = one < 100 ? Numbers.Brief(one) : Numbers.Count((long)Math.Round(one));
            var unit = $"{words.Plural.ToLowerInvariant()} per second";
            return rate.AskedPerSecond is { } asked ? $"{text} of the {Numbers.Brief(asked)} {unit} asked for" : $"{text} {unit}";
        }
    }

    /// <summary>Such as <c>all 20,000 documents written</c>, or <c>300 of 20,000 documents written</c>.</summary>
    private static string WorkDone(RunReport report)
    {
        var (count, asked) = (report.Documents.Inserted + report.Documents.AlreadyPresent, report.Documents.Asked);
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        // A load of steps ends with its time, so nothing is asked for that it could fall short of.
        if (report.Steps.Count > 0)
            return words.Amount(count);
        if (count != asked)
            return $"{Numbers.Count(count)} of {words.Amount(asked)}";
        return asked > 1 ? $"all {words.Amount(asked)}" : words.Amount(asked);
    }

    /// <summary>The state with what it means.</summary>
    public static string State(RunReport report)
    {
        return report.State switch
        {
            RunState.Complete => $"Complete: {Done(report)}{Proof(report)}.",
            RunState.Incomplete when report.TimeErrors.Count > 0 =>
                "Incomplete: the run came to its end, but its times contradict each other, so no rate is claimed.",
            RunState.Incomplete => "Incomplete: the run came to its end, but "
                + (report.Spec.Workload.LeavesCount
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
            WorkloadKind.Patch => "every patch is done",
            WorkloadKind.Replace => "every replace is done",
            WorkloadKind.Mix => "every operation is done",
            WorkloadKind.Action => "every action is done",
            _ => "every document is done",
        };

    private static string Proof(RunReport report)
    {
        var workload = report.Spec.Workload;
        if (workload.LeavesCount)
            return "";
        var asked = report.Steps.Count > 0 ? "done" : "asked";
        var store = WorkloadWords.From(workload.Kind).Store;
        if (CountRule.Expired(report.Spec, report.Documents, report.FinishedAt - report.StartedAt) is > 0 and var expired)
            return $"; {Words.Amount(expired, "document")} had expired when the {store} was counted";
        return workload.HasSeveralKinds
            ? $", and the {store}'s own count changed by exactly the writes less the deletes that were {asked}"
            : $", and the {store}'s own count {(workload.Kind == WorkloadKind.Delete ? "fell" : "rose")} by exactly what was {asked}";
    }

    /// <summary>As <see cref="WhatBound"/> and <see cref="Next"/> say.</summary>
    public static string? Bound(RunReport report) => WhatBound(report) is { } bound ? $"{bound} {Next(report)}" : null;

    /// <summary>What would raise the rate. Null when nothing ran.</summary>
    public static string? Next(RunReport report) =>
        report.BoundBy is { } bound ? NextStep.From(bound, report.Utilization, report.Spec.IsPaced()) : null;

    /// <summary>The limit in plain words, and whether the rate says something about Cosmos DB. Null when nothing ran.</summary>
    public static string? WhatBound(RunReport report)
    {
        if (report.BoundBy is not { } bound)
            return null;
        var used = report.Utilization;
        var shown = bound switch
        {
            BoundBy.Errors => $"in {Numbers.Percent(used?.ErrorSeconds)} of the seconds at least as many attempts ended in errors as "
                + "operations succeeded, so nothing else is judged",
            BoundBy.RequestUnits when used?.CameInBursts == true => $"{Numbers.Percent(used?.ThrottledAttempts)} of all attempts were "
                + $"429s, although the load used {Numbers.Percent(used?.RequestUnits)} of the container's "
                + $"{Numbers.Brief(report.RequestUnits.BudgetPerSecond)} RU/s: it came in bursts",
            BoundBy.RequestUnits => $"the load used {Numbers.Percent(used?.RequestUnits)} of the container's "
                + $"{Numbers.Brief(report.RequestUnits.BudgetPerSecond)} RU/s"
                + (report is { Simulated: true, Spec.Simulation.Burst: true } ? " and their burst credit" : ""),
            BoundBy.Partition => $"{Limit(used)} while the container used {Numbers.Percent(used?.RequestUnits)} of its RU/s",
            BoundBy.Client => $"the busiest worker used {Shares(used?.Client, used?.ClientMax)} of its cores",
            BoundBy.Machine => $"its cores were {Shares(used?.Machine, used?.MachineMax)} busy{UsedBy(used)}",
            BoundBy.Rate when report.Spec.IsPaced() => "the workers used the RU/s that the spec permits them",
            BoundBy.Rate => "every worker kept its schedule",
            _ => $"operations in flight waited for their responses{Spare(used)}",
        };
        return $"Bound by {Words.From(bound)}: {shown}; "
            + $"{NextStep.EvidenceFor(bound, report.Simulated, report.Emulated, report.Spec.Workload.Kind.UsesTables())}.";
    }

    /// <summary>A key of <see cref="ReportedRequests.ErrorsByStatus"/> as text.</summary>
    internal static string StatusText(string status) => status == "0" ? "without a response" : status;

    /// <summary>How many attempts ended in errors, and in which most did.</summary>
    private static string Errors(RunReport report)
    {
        var requests = report.Requests;
        var status = requests.ErrorsByStatus.Count > 0 ? requests.ErrorsByStatus.MaxBy(one => one.Value).Key : null;
        var most = status is null ? "" : $", most of them {StatusText(status)}";
        return $"Errors: {Numbers.Count(requests.OtherErrors)} of {Words.Amount(requests.Attempts, "attempt")} ended in one{most}"
            + (report.Failures.Count > 0 ? $" ({report.Failures[0]})" : "");
    }

    /// <summary>A clause that says why a physical partition is the limit.</summary>
    internal static string Limit(Utilization? used) => used?.PartitionSecondsAtLimit >= BoundByRule.PartitionSecondsShare
        ? $"it was at its own RU limit in {Numbers.Percent(used.PartitionSecondsAtLimit)} of the seconds"
        : $"{Numbers.Percent(used?.PartitionThrottledShare)} of all attempts were 429s of it";

    /// <summary>
    /// From the first start to the last end without interruptions. If no worker was at work, this is the time of the whole run. Null if
    /// times contradict each other.
    /// </summary>
    private static TimeSpan? AtWork(RunReport report) => report switch
    {
        { TimeErrors.Count: > 0 } => null,
        { Throughput.MakespanSeconds: > 0 and var seconds } => TimeSpan.FromSeconds(seconds),
        // Reports of earlier versions have the rate alone.
        { Throughput.MakespanPerSecond: > 0 and var rate } => TimeSpan.FromSeconds(report.Documents.Inserted / rate),
        _ => report.FinishedAt - report.StartedAt,
    };

    /// <summary>A mean with the busiest second behind it, such as <c>38% (at most 97%)</c>.</summary>
    internal static string Shares(double? mean, double? max) =>
        max is null ? Numbers.Percent(mean) : $"{Numbers.Percent(mean)} (at most {Numbers.Percent(max)})";

    /// <summary>Who used the machine's cores; empty if only their sum is known.</summary>
    private static string UsedBy(Utilization? used)
    {
        var parts = new (string Name, double? Share)[]
            {
                ("the workers", used?.MachineByWorkers), ("the simulated account", used?.MachineByAccount),
                ("other programs", used?.MachineByOthers),
            }
            .Where(part => part.Share is not null).Select(part => $"{Numbers.Percent(part.Share)} by {part.Name}").ToList();
        return parts.Count == 0 ? "" : $" ({string.Join(", ", parts)})";
    }

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
