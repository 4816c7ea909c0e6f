namespace ScaleOut.Progress;

/// <summary>
/// Collects the problems of a run that are retried, by their reasons. A problem that comes again, or affects several workers, is one entry
/// with a count. Not thread-safe.
/// </summary>
internal sealed partial class WarningTally
{
    /// <summary>Maximum number of entries. The one that has not occurred for the longest time is removed first.</summary>
    private const int MaxKept = 20;

    private static readonly TimeSpan RepeatAfter = TimeSpan.FromSeconds(30);

    private readonly List<Entry> _entries = [];
    private long _sequence;

    /// <summary>Adds a leg that left no result or could not begin.</summary>
    /// <param name="leg">From 1.</param>
    /// <param name="inARow">Number of lost attempts at this leg, including this one; null if it is not run again.</param>
    /// <param name="at">Time since the run began.</param>
    public void AddLeg(string what, int worker, int leg, int? inARow, string reason, TimeSpan at)
    {
        reason = reason.TrimEnd('.');
        var entry = EntryOf(what, reason, at);
        entry.Workers.Add(worker);
        entry.Text = $"{Legs(entry, worker, leg)} {what}: {reason}; {Next(inARow)}";
    }

    /// <summary>Adds any other problem.</summary>
    /// <param name="worker">The worker that has the problem; null for the program itself.</param>
    /// <param name="at">Time since the run began.</param>
    /// <returns>False if the same problem of this worker was added less than half a minute ago.</returns>
    public bool Add(string message, int? worker, TimeSpan at)
    {
        var kind = worker is null ? "program" : "worker";
        if (Find(kind, message) is { } known && at - known.At < RepeatAfter && (worker is null || known.Workers.Contains(worker.Value)))
            return false;
        var entry = EntryOf(kind, message, at);
        if (worker is { } index)
            entry.Workers.Add(index);
        entry.Text = worker is null ? message : $"{Workers(entry.Workers)}: {message}";
        return true;
    }

    /// <summary>All entries, the newest first.</summary>
    public IReadOnlyList<RunWarning> Rows() =>
        [.. _entries.OrderByDescending(entry => entry.Sequence).Select(
            entry => new RunWarning(entry.Sequence, Math.Round(entry.At.TotalSeconds, 2), entry.Times, entry.Text))];

    private static string Legs(Entry entry, int worker, int leg) => entry.Times == 1
        ? $"leg {leg} of worker {worker}"
        : $"{entry.Times:N0} legs of {Workers(entry.Workers)}";

    private static string Next(int? lostInARow)
    {
        if (lostInARow is not { } inARow)
            return "not run again";
        if (inARow >= WorkerOrchestrator.MaxLostInARow)
            return $"given up after {inARow} in a row";
        var pause = OrchestrationWaits.AfterLostLeg(inARow);
        var when = pause == TimeSpan.Zero ? "at once" : $"in {pause.TotalSeconds:0} s";
        return inARow == 1
            ? $"run again {when}"
            : $"{inARow} in a row, run again {when} (at most {WorkerOrchestrator.MaxLostInARow} in a row, "
                + $"about {OrchestrationWaits.AllOfLostLegs.TotalMinutes:0} min)";
    }

    /// <summary>Lists workers, such as <c>worker 3</c> or <c>workers 0-3, 7</c>.</summary>
    private static string Workers(SortedSet<int> workers)
    {
        if (workers.Count == 1)
            return $"worker {workers.Min}";
        var ranges = NumberSet.From(workers.Select(worker => new NumberRange(worker, 1))).Ranges;
        const int shown = 5;
        var parts = ranges.Take(shown).Select(range => range.Count == 1 ? $"{range.First}" : $"{range.First}-{range.End - 1}");
        return $"workers {string.Join(", ", parts)}{(ranges.Count > shown ? " and more" : "")}";
    }

    private Entry EntryOf(string kind, string reason, TimeSpan at)
    {
        var entry = Find(kind, reason);
        if (entry is null)
        {
            if (_entries.Count == MaxKept)
                _entries.Remove(_entries.MinBy(known => known.Sequence)!);
            _entries.Add(entry = new Entry(KeyOf(kind, reason)));
        }

        entry.Sequence = ++_sequence;
        entry.Times++;
        entry.At = at;
        return entry;
    }

    private Entry? Find(string kind, string reason)
    {
        var key = KeyOf(kind, reason);
        return _entries.Find(known => known.Key == key);
    }

    private static (string Kind, string Reason) KeyOf(string kind, string reason) => (kind, Varying().Replace(reason, "#"));

    /// <summary>Parts of a reason that differ between occurrences of one problem: quoted names, numbers and ids.</summary>
    [GeneratedRegex("'[^']*'|[0-9a-fA-F]{16,}|[0-9]+")]
    private static partial Regex Varying();

    private sealed class Entry((string Kind, string Reason) key)
    {
        public (string Kind, string Reason) Key => key;

        public SortedSet<int> Workers { get; } = [];

        public long Sequence { get; set; }

        public int Times { get; set; }

        public TimeSpan At { get; set; }

        public string Text { get; set; } = "";
    }
}
