using Spectre.Console;
using Spectre.Console.Rendering;

namespace ScaleOut.DevBox.Display;

/// <summary>A picture of the run that is redrawn in place, for terminals.</summary>
internal sealed class LiveDisplay(IAnsiConsole console, string heading) : IRunDisplay
{
    /// <summary>Three pictures a second, because the workers report their progress no more often.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(333);

    public async Task<T> ShowWhileAsync<T>(RunTally tally, Task<T> work)
    {
        try
        {
            await console.Live(Text.Empty).Overflow(VerticalOverflow.Crop).StartAsync(live => DrawAsync(live, tally, work));
        }
        catch (IOException)
        {
            // The run continues if the terminal has closed.
        }

        return await work;
    }

    private async Task DrawAsync(LiveDisplayContext live, RunTally tally, Task work)
    {
        while (true)
        {
            var ended = work.IsCompleted;
            live.UpdateTarget(LivePicture.From(tally.Snapshot(), heading, console.Profile.Width, console.Profile.Height));
            if (ended)
                return;
            await Task.WhenAny(work, Task.Delay(Interval));
        }
    }
}

/// <summary>One picture of a run, as large as the terminal allows.</summary>
internal static class LivePicture
{
    /// <summary>Columns from which the workers' last errors have room beside their figures.</summary>
    private const int WideColumns = 120;

    /// <summary>Lines that are not workers: heading, state, bar, rates, the table's head and space around them.</summary>
    private const int OtherLines = 10;

    private const int MaxWarningLines = 4;

    private const string EraseLine = "\u001b[K";

    public static IRenderable From(RunStatus run, string heading, int columns, int lines)
    {
        var warnings = Warnings(run, columns, most: Math.Clamp(lines - OtherLines - 1, 1, MaxWarningLines));
        var fit = Math.Max(1, lines - OtherLines - warnings.Count);
        var shown = run.Workers.Count <= fit ? run.Workers : [.. run.Workers.Take(Math.Max(1, fit - 1))];
        var hidden = run.Workers.Skip(shown.Count).ToList();
        var wide = columns >= WideColumns;

        var parts = new List<IRenderable>
        {
            Line($"[bold]{Markup.Escape(heading)}[/]"),
            Line(StateLine(run)),
            Line(BarLine(run, columns)),
            Line(RateLine(run)),
            Text.Empty,
            Table(shown, hidden, wide, run),
        };
        parts.AddRange(warnings);
        if (!wide && warnings.Count == 0
            && run.Workers.FirstOrDefault(worker => worker.LastError is not null) is { LastError: { } error } first)
            parts.Add(Line($"[red]worker {Number(first.Index)}:[/] {Markup.Escape(ShortText.From(OneLine.From(error), columns - 14))}"));
        // The cursor rests at the end of the last line, where the terminal shows ^C: the line is empty, and the next picture erases it.
        parts.Add(new ControlCode(EraseLine));
        return new Rows(parts);
    }

    /// <summary>The warnings, the newest first. Each takes as many lines as it needs, until no line is left.</summary>
    private static List<IRenderable> Warnings(RunStatus run, int columns, int most)
    {
        const int indent = 8;
        var lines = new List<IRenderable>();
        foreach (var warning in run.Warnings)
        {
            var parts = WrappedLines.From(warning.Text, Math.Max(20, columns - indent - 1)).Select(part => part.Trim()).ToList();
            for (var part = 0; part < parts.Count && lines.Count < most; part++)
            {
                var at = part == 0 ? Numbers.Elapsed(warning.AtSeconds) : "";
                lines.Add(Line($"[grey]{at,6}[/]  [yellow]{Markup.Escape(parts[part])}[/]"));
            }
        }

        return lines;
    }

    private static string StateLine(RunStatus run)
    {
        var colour = run.Stopping ? "yellow" : "green";
        var line = $"[{colour}]{PhaseText.From(run)}[/]  {Numbers.Elapsed(run.ElapsedSeconds ?? 0)}";
        if (run.RemainingSeconds is { } remaining)
            line += $"  [grey]about {Numbers.Elapsed(remaining)} to go[/]";
        if (run.LostLegs > 0)
            line += $"  [yellow]{LostText.From(run.LostLegs)}[/]";
        return line;
    }

    private static string BarLine(RunStatus run, int columns)
    {
        var text =
            $" {Numbers.Percent(run.DoneShare),7}  {Numbers.Count(run.Done)} of "
            + $"{Numbers.Count(run.Asked)}";
        return Bar(run.DoneShare, Math.Clamp(columns - text.Length - 1, 10, 100)) + text;
    }

    private static string RateLine(RunStatus run)
    {
        if (run.PerSecond is not { } rates)
            return "";
        var budget = BudgetOf(run) is { } known ? $" of {Numbers.Count(known)}" : "";
        return $"[bold]{Numbers.Count(rates.Documents)}[/] documents/s  "
            + (run.UsesTables ? "" : $"[bold]{Numbers.Count(rates.RequestUnits)}[/]{budget} RU/s  ")
            + $"{Throttled(rates.Throttled)} 429/s"
            + (run.LatencyMs?.P99 is { } p99 ? $"  p99 [bold]{Numbers.Brief(p99)}[/] ms" : "");
    }

    /// <summary>RU/s of all partitions together; null if they are not known.</summary>
    public static double? BudgetOf(RunStatus run) =>
        run.Partitions.Count == 0 ? null : run.Partitions.Sum(partition => partition.BudgetPerSecond ?? double.NaN) is var sum
            && double.IsFinite(sum) ? sum : null;

    /// <summary>A row for each worker. Until a worker has begun, only the states are shown.</summary>
    private static Table Table(IReadOnlyList<WorkerStatus> shown, List<WorkerStatus> hidden, bool wide, RunStatus run)
    {
        List<(TableColumn Head, Func<Row, string> Cell)> columns = [(Right("worker"), row => row.Name), (Left("state"), row => row.State)];
        if (!run.Workers.All(PhaseText.HasNotBegun))
        {
            columns.Add((Left("progress"), row => Bar(row.Share, 10)));
            columns.Add((Right("done"), row => Numbers.Count(row.Done)));
            columns.Add((Right("/s"), row => Numbers.Count(row.PerSecond.Documents)));
            if (!run.UsesTables)
                columns.Add((Right("RU/s"), row => Numbers.Count(row.PerSecond.RequestUnits)));
            columns.Add((Right("429/s"), row => Throttled(row.PerSecond.Throttled)));
            columns.Add((Right("in flight"), row => Numbers.Count(row.InFlight)));
        }

        if (wide)
            columns.Add((Left("last error"), row => row.Error is null ? "" : $"[red]{Markup.Escape(OneLine.From(row.Error))}[/]"));

        var table = new Table { Border = TableBorder.None, ShowHeaders = true };
        foreach (var (head, _) in columns)
            table.AddColumn(head);
        foreach (var row in shown.Select(worker => Row.From([worker], Number(worker.Index), State(worker.State))))
            table.AddRow(columns.Select(column => Line(column.Cell(row))));
        if (hidden.Count > 0)
        {
            var rest = Row.From(hidden, $"+{Number(hidden.Count)}", "more");
            table.AddRow(columns.Select(column => Line(column.Cell(rest))));
        }

        return table;
    }

    /// <summary>What a row shows of one worker, or of several together.</summary>
    private sealed record Row(string Name, string State, double Share, long Done, Rates PerSecond, int InFlight, string? Error)
    {
        public static Row From(IReadOnlyList<WorkerStatus> workers, string name, string state) => new(
            name,
            state,
            workers.Sum(worker => worker.Asked) is > 0 and var asked ? (double)workers.Sum(worker => worker.Done) / asked : 1,
            workers.Sum(worker => worker.Done),
            workers.Aggregate(default(Rates), (sum, worker) => sum + worker.PerSecond),
            workers.Sum(worker => worker.InFlight),
            workers.FirstOrDefault(worker => worker.LastError is not null)?.LastError);
    }

    private static string State(WorkerState state)
    {
        var colour = state switch
        {
            WorkerState.Running => "green",
            WorkerState.Failed => "red",
            WorkerState.Restarting or WorkerState.Stopped => "yellow",
            _ => "grey",
        };
        return $"[{colour}]{state.ToString().ToLowerInvariant()}[/]";
    }

    private static string Throttled(double perSecond) => perSecond >= 0.5 ? $"[yellow]{Numbers.Count(perSecond)}[/]" : "0";

    private static string Bar(double share, int width)
    {
        var full = (int)Math.Floor(Math.Clamp(share, 0, 1) * width);
        return $"[green]{new string('█', full)}[/][grey]{new string('░', width - full)}[/]";
    }

    private static Markup Line(string markup) => new(markup) { Overflow = Overflow.Ellipsis };

    private static TableColumn Left(string name) => new($"[grey]{name}[/]") { NoWrap = true };

    private static TableColumn Right(string name) => new($"[grey]{name}[/]") { NoWrap = true, Alignment = Justify.Right };

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
