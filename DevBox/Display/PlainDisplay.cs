namespace ScaleOut.DevBox.Display;

/// <summary>Writes a line every few seconds, at each new phase, and at once if something goes wrong. For files, pipes and logs.</summary>
/// <param name="warningsOf">The run's id to write warnings only, each with this id; null to write all lines.</param>
/// <param name="heading">The first line, about the run; null if it is shown already.</param>
internal sealed class PlainDisplay(TextWriter output, string? warningsOf = null, string? heading = null) : IRunDisplay
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    /// <summary>How often a phase in which nothing is counted is shown again.</summary>
    private static readonly TimeSpan QuietInterval = TimeSpan.FromSeconds(30);

    /// <summary>Delay after a warning, so that simultaneous warnings of several workers become one line.</summary>
    private static readonly TimeSpan WarningDelay = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan TimerGrain = TimeSpan.FromSeconds(0.1);

    private string _phase = "";
    private TimeSpan _phaseAt;
    private long _warned;

    public async Task<T> ShowWhileAsync<T>(RunTally tally, Task<T> work)
    {
        try
        {
            if (heading is not null)
                await output.WriteLineAsync(heading);
            await WriteWhileAsync(tally, work);
        }
        catch (IOException)
        {
            // The run continues if its output cannot be written.
        }

        return await work;
    }

    private async Task WriteWhileAsync(RunTally tally, Task work)
    {
        var changed = new SemaphoreSlim(0);
        void OnChanged() => changed.Release();
        tally.Changed += OnChanged;
        try
        {
            while (!work.IsCompleted)
            {
                var warned = await WriteNewAsync(tally.Snapshot());
                await Task.WhenAny(work, warned ? Task.Delay(WarningDelay) : changed.WaitAsync(Interval));
                while (changed.Wait(0))
                {
                    // The next snapshot of the tally has all changes, so one is enough.
                }
            }
        }
        finally
        {
            tally.Changed -= OnChanged;
        }

        await WriteWarningsAsync(tally.Snapshot());
    }

    /// <summary>Writes new warnings. Returns whether there were any.</summary>
    private async Task<bool> WriteNewAsync(RunStatus run)
    {
        var warned = await WriteWarningsAsync(run);
        if (warningsOf is not null)
            return warned;
        var now = PhaseText.From(run);
        // Timers end up to a few milliseconds early.
        var elapsed = TimeSpan.FromSeconds(run.ElapsedSeconds ?? 0);
        var isDue = elapsed - _phaseAt + TimerGrain >= (now == "running" ? Interval : QuietInterval);
        if (run.Phase != RunPhase.Ended && (now != _phase || isDue))
        {
            (_phase, _phaseAt) = (now, elapsed);
            await output.WriteLineAsync(Line(run, now));
        }

        return warned;
    }

    private async Task<bool> WriteWarningsAsync(RunStatus run)
    {
        var before = _warned;
        foreach (var warning in run.Warnings.Where(warning => warning.Sequence > before).Reverse())
        {
            _warned = warning.Sequence;
            await output.WriteLineAsync(
                warningsOf is null ? $"{Numbers.Elapsed(warning.AtSeconds),7}  {warning.Text}" : $"run {warningsOf}: {warning.Text}");
        }

        return _warned > before;
    }

    private static string Line(RunStatus run, string phase)
    {
        var line = $"{Numbers.Elapsed(run.ElapsedSeconds ?? 0),7}  {phase}";
        if (run.Done > 0)
        {
            line += $"  {Numbers.Count(run.Done)} of {Numbers.Count(run.Asked)} "
                + $"({Numbers.Percent(run.DoneShare)})";
            if (run.PerSecond is { Documents: > 0 } rates)
                line += $"  {Numbers.Count(rates.Documents)}/s"
                    + (run.UsesTables ? "" : $"  {Numbers.Count(rates.RequestUnits)}{OfBudget(run)} RU/s")
                    + $"  {Numbers.Count(rates.Throttled)} 429/s"
                    + (run.LatencyMs?.P99 is { } p99 ? $"  p99 {Numbers.Brief(p99)} ms" : "");
            if (run.RemainingSeconds is { } remaining && phase == "running")
                line += $"  {Numbers.Elapsed(remaining)} to go";
        }

        if (run.LostLegs > 0)
            line += $"  {LostText.From(run.LostLegs)}";
        return line;
    }

    private static string OfBudget(RunStatus run) =>
        LivePicture.BudgetOf(run) is { } budget ? $" of {Numbers.Count(budget)}" : "";
}
