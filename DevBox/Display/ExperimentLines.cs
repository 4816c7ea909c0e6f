namespace ScaleOut.DevBox.Display;

/// <summary>Shows a heading for each run, the display of the run while it executes, and one line with its result.</summary>
/// <param name="displayOf">Makes the display of one run.</param>
internal sealed class ExperimentLines(TextWriter output, Func<RunSpec, IRunDisplay> displayOf) : IExperimentDisplay
{
    /// <summary>Number of initial runs that must be bound by the machine before a warning is shown.</summary>
    private const int EnoughRuns = 2;

    private int _ended;
    private int _boundByMachine;
    private int _notComplete;

    public void Show(ExperimentStatus status)
    {
        if (status.LastNotComplete is { } last && status.NotComplete > _notComplete)
            Write($"    not complete: {last}");
        _notComplete = Math.Max(_notComplete, status.NotComplete);
        if (status is { Measured: { } measured, Bracket: { } bracket } && status.Phase != ExperimentPhase.Ended)
            Write($"    {Numbers.Rate(measured.Rate!.Value)}/s {Verdict(measured)}{Between(bracket)}");
        // The number of runs of a search is not known before it ends.
        if (status is { Phase: ExperimentPhase.Running, RunId: { } runId })
        {
            var all = status.Bracket is null ? $"/{status.Runs}" : "";
            Write($"[{status.Ended + 1}{all}] {status.Variant}, repeat {status.Repeat}  ({runId})");
        }
        else if (status.Phase == ExperimentPhase.Reporting)
            Write("writing the experiment's report");
    }

    public Task<T> ShowWhileAsync<T>(PlannedRun run, RunTally tally, Task<T> work) =>
        displayOf(run.Spec).ShowWhileAsync(tally, work);

    public void Ended(PlannedRun run, RunResult result)
    {
        Write($"    {Line(run, result.Report)}");
        // The status says the first reason of a run that is not complete.
        var isSaid = result.Outcome.State != RunState.Complete && run.Rate is null;
        foreach (var reason in result.Outcome.Reasons.Take(3).Skip(isSaid ? 1 : 0))
            Write($"    note: {reason}");
        if (result.Ledger is { Differences.Count: > 0 } ledger)
            Write($"    note: {ledger.Text}");
        WarnOfMachine(result.Report);
    }

    /// <summary>Warns early if this machine bounds the runs, because such runs test no finding, however many follow.</summary>
    private void WarnOfMachine(RunReport report)
    {
        _ended++;
        _boundByMachine += RunFigures.From(report).BoundByMachine ? 1 : 0;
        if (_ended != EnoughRuns || _boundByMachine != EnoughRuns)
            return;
        var others = report.Utilization?.MachineByOthers is { } share ? $"; other programs used {Numbers.Percent(share)} of its cores" : "";
        Write($"    note: the first {EnoughRuns} runs were bound by this machine{others}. Runs like these count for no finding: Ctrl+C "
            + "stops the experiment; close other programs, or give it fewer workers, fewer operations in flight or a lower rate.");
    }

    public void Note(string text) => Write($"    note: {text}");

    public void Found(PlannedRun run, RunReport report) => Write($"    measured before: {Line(run, report)}");

    private static string Verdict(MeasuredRun measured) => measured.Held switch
    {
        true => "holds",
        false => $"fails: {measured.Reason}",
        // The rest of the line follows, so the reason's period is left out.
        _ => $"not known: {measured.Reason?.TrimEnd('.')}",
    };

    private static string Between(LimitBracket bracket) => bracket switch
    {
        { Low: { } low, High: { } high } => $"; the limit is between {Numbers.Rate(low)} and {Numbers.Rate(high)}/s",
        { Low: { } low } => $"; the limit is above {Numbers.Rate(low)}/s",
        { High: { } high } => $"; the limit is below {Numbers.Rate(high)}/s",
        _ => "",
    };

    /// <summary>The result of a run. A run of a search shows the figures that it is judged by.</summary>
    private static string Line(PlannedRun run, RunReport report)
    {
        var state = report.State == RunState.Complete ? "" : $"{report.State}; ";
        if (report.Throughput.Rate is not { } rate)
            return $"{state}nothing was measured";
        var judged = run.Rate is { } asked ? LimitNumbers.From(report, asked) : null;
        var p99 = judged is null ? report.LatencyMs.Operation.P99 : judged["p99"];
        var throttled = judged is null
            ? Numbers.Count(report.Requests.Throttled)
            : Numbers.Percent(judged[ReportNumbers.ThrottledShare]);
        var invalid = report.Invalid.Count == 0 ? "" : $"{InvalidParts.TitleOf(report.Invalid)}; ";
        return $"{state}{invalid}{Numbers.Brief(rate)}/s, p99 {Numbers.Brief(p99)} ms, {throttled} throttled, bound by "
            + Words.From(report.BoundBy);
    }

    private void Write(string line)
    {
        try
        {
            output.WriteLine(line);
        }
        catch (IOException)
        {
            // The experiment continues if its output cannot be written.
        }
    }
}

/// <param name="State">Complete, incomplete or stopped.</param>
/// <param name="Numbers">The numbers that a condition may name.</param>
/// <param name="Page">What the report shows to people.</param>
/// <param name="Invalid">
/// The figures that are not valid, with the reasons. A search for a limit has none, because it does not count such runs.
/// </param>
/// <param name="CanGoOn">Whether <c>resume</c> can continue it. A search that found its machine full cannot be continued.</param>
internal sealed record EndedExperiment(
    ExperimentState State, IReadOnlyDictionary<string, double?> Numbers, ReportPage Page, IReadOnlyList<InvalidFigures> Invalid,
    bool CanGoOn)
{
    /// <summary>
    /// Gives the interval of a number that is not valid, by the number's name; null for a valid one. Those of a search are all valid,
    /// because only valid runs count for a limit.
    /// </summary>
    public Func<string, Interval?> OpenIn { get; init; } = _ => null;

    public static async Task<EndedExperiment> ReadAsync(ExperimentSpec spec, RunFolder folder, ExperimentState state)
    {
        var json = await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId)
            .ReadReportAsync(JobFiles.ReportName, CancellationToken.None)
            ?? throw new InvalidOperationException($"The report of experiment '{folder.RunId}' is not in its folder.");
        if (spec.Limit is not null)
        {
            var found = LimitForms.Kind.Read(json);
            return new EndedExperiment(state, LimitNumbers.OfSearch(found), LimitForms.Kind.PageOf(found), [], GoesOn(state, found.Limit));
        }

        var report = ExperimentForms.Kind.Read(json);
        return new EndedExperiment(
            state, ExperimentNumbers.From(report), ExperimentForms.Kind.PageOf(report), ExperimentWarnings.InvalidFiguresOf(report),
            GoesOn(state, limit: null))
        {
            OpenIn = ExperimentNumbers.OpenIn(report),
        };
    }

    /// <summary>
    /// Whether <c>resume</c> can continue. A search ends the same way again, unless it was stopped or runs of it did not end.
    /// </summary>
    /// <param name="limit">Null for an experiment with variants.</param>
    internal static bool GoesOn(ExperimentState state, LimitSummary? limit) =>
        state != ExperimentState.Complete && limit?.End is (null or LimitEnd.Stopped or LimitEnd.GivenUp);
}
