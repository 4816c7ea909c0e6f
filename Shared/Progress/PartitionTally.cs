namespace ScaleOut.Progress;

/// <summary>Counts and rates of the physical partitions during a run, summed over its workers.</summary>
internal sealed class PartitionTally
{
    private readonly Dictionary<(string Min, string Max), Range> _ranges = [];

    /// <summary>Takes a worker's report. Its counts are those of the current attempt at a leg so far.</summary>
    public void Take(WorkerProgress progress, TimeSpan at)
    {
        foreach (var partition in progress.Partitions)
        {
            var key = (partition.Min, partition.Max);
            if (!_ranges.TryGetValue(key, out var range))
                _ranges[key] = range = new Range();
            range.Take(progress, partition.Counts, at);
        }
    }

    /// <summary>Removes a worker that has ended from the rates.</summary>
    public void EndWorker(int worker)
    {
        foreach (var range in _ranges.Values)
            range.EndWorker(worker);
    }

    /// <summary>The partitions in order of their ranges. A partition that was split is replaced by its parts.</summary>
    /// <param name="budgetPerSecond">RU/s of the whole container; null if unknown.</param>
    public IReadOnlyList<PartitionLoad> Statuses(TimeSpan now, double? budgetPerSecond)
    {
        var present = _ranges.Where(range => !_ranges.Keys.Any(other => other != range.Key && Within(other, range.Key)))
            .OrderBy(range => range.Key.Min, StringComparer.Ordinal)
            .ToList();
        return
        [
            .. present.Select(range => new PartitionLoad
            {
                Min = range.Key.Min,
                Max = range.Key.Max,
                Counts = range.Value.Total.Rounded(),
                PerSecond = range.Value.RatesAt(now).Rounded(),
                BudgetPerSecond = budgetPerSecond is { } budget ? Math.Round(budget / present.Count, 2) : null,
            }),
        ];
    }

    private static bool Within((string Min, string Max) inner, (string Min, string Max) outer) =>
        string.CompareOrdinal(inner.Min, outer.Min) >= 0 && string.CompareOrdinal(inner.Max, outer.Max) <= 0;

    /// <summary>One partition. Counts include attempts whose results are lost, because they were charged too.</summary>
    private sealed class Range
    {
        private readonly Dictionary<int, Share> _shares = [];

        public Counts Total => Counts.Sum(_shares.Values.Select(share => share.Total));

        public void Take(WorkerProgress progress, Counts reported, TimeSpan at)
        {
            if (!_shares.TryGetValue(progress.Worker, out var share))
                _shares[progress.Worker] = share = new Share();
            share.Take((progress.Leg, progress.Attempt), reported, at);
        }

        public void EndWorker(int worker)
        {
            if (_shares.TryGetValue(worker, out var share))
                share.Ended = true;
        }

        public Rates RatesAt(TimeSpan now) =>
            _shares.Values.Where(share => !share.Ended).Aggregate(default(Rates), (sum, share) => sum + share.RatesAt(now));
    }

    /// <summary>The share of one worker. It has a window of its own, because workers report at different times.</summary>
    private sealed class Share
    {
        private readonly RateWindow _window = new();
        private (int Leg, int Attempt) _current;
        private Counts _before;
        private Counts _reported;

        public bool Ended { get; set; }

        public Counts Total => _before + _reported;

        public void Take((int Leg, int Attempt) attempt, Counts reported, TimeSpan at)
        {
            if (attempt != _current)
                (_current, _before, _reported) = (attempt, Total, default);
            _reported = reported;
            _window.Add(at, Total);
        }

        public Rates RatesAt(TimeSpan now) => _window.At(now);
    }
}
