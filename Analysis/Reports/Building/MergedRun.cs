namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Everything that the parts of a report are made from: the legs by worker, when they were at work, their series, and the overlap window.
/// </summary>
internal sealed partial class MergedRun
{
    /// <summary>Largest number of contradictions that a report lists. Every leg may have one.</summary>
    private const int MaxTimeErrors = 100;

    public MergedRun(RunEnding ending, RunLegs legs)
    {
        Ending = ending;
        Legs = legs.Results;
        // Asked for each worker, so the legs are gone through once, here.
        MeasuredNothing = Legs.Any(leg => !HasMeasured(leg)) && !Legs.Any(leg => HasMeasured(leg) && leg.Counts.Inserted > 0);
        StartedAt = legs.Begun.Append(ending.StartedAt).Min();
        Workers = WorkerLegs.From(ending.Spec, Legs);
        Series = [.. Workers.Select(worker => new SecondSeries(worker.Legs))];
        Total = new SecondSeries(Legs);
        Partitions = legs.Partitions ?? PartitionMerge.Merge(Legs);
        Latencies = legs.Latencies ?? LatencyMerge.BySecond(Legs);
        TimeErrors = TimeErrorsOf(legs);
        if (TimeErrors.Count > 0)
        {
            // Figures per second would rest on wrong times.
            Total = new SecondSeries([]);
            Series = [.. Workers.Select(_ => Total)];
            Partitions = [.. Partitions.Select(partition => partition with { PerSecond = new SortedList<long, double>() })];
            Latencies = new Dictionary<long, PackedHistogram>();
        }

        IReadOnlyList<IReadOnlyList<TimeRange>> spans = TimeErrors.Count > 0 ? [] : [.. Workers.Select(worker => worker.Spans)];
        (_atWork, Interruptions) = TimesOf(spans.SelectMany(span => span), legs.Start?.At, legs.Begun);
        Window = OverlapWindow.From(spans, ending.Spec.Warmup, [.. Interruptions.Select(one => new TimeRange(one.From, one.To))]);
        JudgedSeconds = OverlapWindow.IsUsable(Window) ? Window : SecondsWithoutWindow();
        Delays = ending.Delays is { } delays ? DelayReport.From(delays, ClientMs()) : null;
    }

    public RunEnding Ending { get; }

    public RunSpec Spec => Ending.Spec;

    /// <summary>When the run first began. A run that was resumed began with its first program.</summary>
    public DateTimeOffset StartedAt { get; }

    public IReadOnlyList<LegResult> Legs { get; }

    public IReadOnlyList<WorkerLegs> Workers { get; }

    /// <summary>
    /// Contradictions in the run's times, in sentences. If there are any, the run has no series, no window and no durations.
    /// </summary>
    public IReadOnlyList<string> TimeErrors { get; }

    /// <summary>The series of each worker, by index.</summary>
    public IReadOnlyList<SecondSeries> Series { get; }

    /// <summary>All workers together.</summary>
    public SecondSeries Total { get; }

    public IReadOnlyList<MergedPartition> Partitions { get; }

    /// <summary>Latencies of all workers by UTC second.</summary>
    public IReadOnlyDictionary<long, PackedHistogram> Latencies { get; }

    public NumberSet Window { get; }

    /// <summary>The seconds in which the limit of the run is looked for: the overlap window if it is usable.</summary>
    public NumberSet JudgedSeconds { get; }

    /// <summary>Configured and delivered delays of the simulated account; null if they were not measured.</summary>
    public DelayReport? Delays { get; }

    /// <summary>
    /// RU/s of the container in a second; null if the account does not report them. A change counts from the second after it.
    /// </summary>
    public double? BudgetAt(long second) => Ending.Container?.BudgetPerSecond is { } before
        ? Ending.ThroughputChanges?.LastOrDefault(change => UtcSeconds.Floor(change.At) < second)?.Throughput ?? before
        : null;

    /// <summary>Mean RU/s of the container over the judged seconds. Without judged seconds, the RU/s before the first write.</summary>
    public double? MeanBudget => Ending.ThroughputChanges is null || JudgedSeconds.Count == 0
        ? Ending.Container?.BudgetPerSecond
        : JudgedSeconds.Average(second => BudgetAt(second));

    /// <summary>Highest RU/s that the container had.</summary>
    public double? HighestBudget => Ending.Container?.BudgetPerSecond is { } before
        ? (Ending.ThroughputChanges ?? []).Select(change => (double)change.Throughput).Append(before).Max()
        : null;

    /// <summary>Budget of one partition, RU/s, in the last second of its load; null if the account does not report it.</summary>
    public double? BudgetOf(MergedPartition partition) => (partition.PerSecond.Count > 0
        ? BudgetAt(partition.PerSecond.Keys.Max())
        : Ending.Container?.BudgetPerSecond) / partition.Siblings;

    /// <summary>RU that a partition was charged in the judged seconds.</summary>
    public double JudgedRequestUnits(MergedPartition partition) =>
        partition.PerSecond.Where(entry => JudgedSeconds.Contains(entry.Key)).Sum(entry => entry.Value);

    /// <summary>
    /// Whether the leg measured what the run is about. In a container of the run's own, documents are found by a leg that repeats one
    /// whose result was lost. A leg that mostly found documents measured requests that find documents.
    /// </summary>
    public bool HasMeasured(LegResult leg) =>
        Ending.Container is not { Created: true } || leg.Counts.AlreadyPresent <= leg.Counts.Inserted;

    /// <summary>Whether documents were found, and no leg measured what the run is about.</summary>
    public bool MeasuredNothing { get; }

    /// <summary>Time from a worker's first start to its last end, without interruptions; null when it was never at work.</summary>
    public TimeSpan? MakespanOf(WorkerLegs worker) =>
        TimeErrors.Count == 0 && worker is { Start: { } start, End: { } end } ? Between(start, end) : null;

    /// <inheritdoc cref="DelayReport.ClientMs"/>
    private double? ClientMs()
    {
        var physics = Spec.Simulation ?? new SimulationSpec();
        var isOneRequest = !Spec.Workload.UsesBulk && !Spec.Workload.HasQueries
            && (Spec.Client.Consistency ?? physics.Consistency)?.AsksTwoReplicas() != true
            && physics is { Faults.Count: 0, Splits.Count: 0, Merges.Count: 0 } && Spec.Container.ThroughputSteps.Count == 0;
        var attempts = JudgedSeconds.Sum(second => Total.At(second).Counts.Attempts);
        return isOneRequest && OverlapWindow.IsUsable(Window) && attempts > 0
            ? 1_000 * Total.CpuSecondsIn(JudgedSeconds) / attempts
            : null;
    }

    /// <summary>Compares the charged RU with the budget only if the times themselves do not contradict each other.</summary>
    private IReadOnlyList<string> TimeErrorsOf(RunLegs legs)
    {
        var errors = TimeChecks.From(Ending, legs, StartedAt);
        if (errors.Count == 0)
            return BudgetChecks.From(this);
        return errors.Count <= MaxTimeErrors ? errors : [.. errors.Take(MaxTimeErrors), $"and {errors.Count - MaxTimeErrors} more."];
    }

    /// <summary>
    /// Whole seconds in which any worker was at work, without warm-up if any are left; all seconds measured when there is none.
    /// </summary>
    private NumberSet SecondsWithoutWindow()
    {
        var whole = AtWork(Spec.Warmup);
        return whole.Count > 0 ? whole : NumberSet.From(Total.Seconds.Keys.Select(second => new NumberRange(second, 1)));
    }
}
