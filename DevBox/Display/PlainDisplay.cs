using ScaleOut.Orchestration;

namespace ScaleOut.DevBox.Display;

/// <summary>A line every few seconds and at each phase: for files, pipes and logs.</summary>
internal sealed class PlainDisplay(TextWriter output) : IRunDisplay
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    /// <inheritdoc/>
    public async Task<T> ShowWhileAsync<T>(RunBoard board, Task<T> work)
    {
        try
        {
            await WriteWhileAsync(board, work);
        }
        catch (IOException)
        {
            // A reader that is gone is no reason to give up the run.
        }

        return await work;
    }

    private async Task WriteWhileAsync(RunBoard board, Task work)
    {
        var changed = new SemaphoreSlim(0);
        void OnChanged() => changed.Release();
        board.Changed += OnChanged;
        try
        {
            var phase = "";
            while (!work.IsCompleted)
            {
                var run = board.Snapshot();
                var now = PhaseText.Of(run);
                if ((now != phase && run.Phase != RunPhase.Ended) || now == "running")
                    await output.WriteLineAsync(Line(run, phase = now));
                await Task.WhenAny(work, changed.WaitAsync(Interval));
            }
        }
        finally
        {
            board.Changed -= OnChanged;
        }
    }

    private static string Line(RunSnapshot run, string phase)
    {
        var line = $"{ConsoleNumbers.Time(run.Elapsed),7}  {phase}";
        if (run.Totals.Documents == 0)
            return line;
        line += $"  {ConsoleNumbers.Count(run.Totals.Documents)} of {ConsoleNumbers.Count(run.Asked)} ({ConsoleNumbers.Percent(run.DoneShare)})";
        if (run.Rates.Documents > 0)
            line += $"  {ConsoleNumbers.Count(run.Rates.Documents)}/s  {ConsoleNumbers.Count(run.Rates.RequestUnits)} RU/s  {ConsoleNumbers.Count(run.Rates.Throttled)} 429/s";
        if (run.Remaining is { } remaining && phase == "running")
            line += $"  {ConsoleNumbers.Time(remaining)} to go";
        if (run.LostLegs > 0)
            line += $"  lost legs {ConsoleNumbers.Count(run.LostLegs)}";
        return line;
    }
}
