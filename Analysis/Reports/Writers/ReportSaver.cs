namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>Makes a run's report from the results of its legs, and keeps it in the run store in every form.</summary>
public static class ReportSaver
{
    /// <summary>Largest number of reasons that an outcome lists.</summary>
    public const int MaxReasons = 10;

    private const string MissesLegsText = "The run has not ended. Resuming it runs the missing legs again.";

    /// <summary>
    /// Reads the legs, builds the report and writes all forms. Calling the method again writes the same report, even with another ending.
    /// Nothing is written in two cases: this start did not get the container that an earlier start had, or this start resumed the run and
    /// its workers failed before they finished a document.
    /// </summary>
    /// <remarks>
    /// The ending is stored before the report, because the account may be gone when the report has to be made again. From then on no leg
    /// runs again. The ending of a failed run is stored after its report: until then, resuming the run may bring it further. A run that
    /// could not start may still start, so its ending is not stored. Nor is that of a run that misses legs although its workers are done.
    /// </remarks>
    /// <param name="prices">Prices from which the cost is computed. Optional.</param>
    /// <param name="readDelaysAsync">
    /// Reads the simulated account's delays in the seconds by which the run is judged; null if there are none to read.
    /// </param>
    /// <param name="accountEnds">Whether the account and its documents end with this start of the run.</param>
    /// <exception cref="EvidenceException">The stored items of the run contradict each other.</exception>
    /// <returns>The outcome, and the report if it was written.</returns>
    public static async Task<(RunOutcome Outcome, RunReport? Report)> SaveAsync(
        IRunStore store, RunEnding ending, CancellationToken cancellationToken, PriceList? prices = null,
        Func<NumberSet, Task<DeliveredDelays?>>? readDelaysAsync = null, bool accountEnds = false)
    {
        var files = new RunFiles(store, ending.Spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(ending)));
        var kept = await files.ReadEndingAsync(cancellationToken);
        ending = kept ?? ending;
        if (ending.Container is null && await files.HasAsync(RunFiles.PreparedName, cancellationToken))
            return (NothingChanged(ending, ending.Rejections), null);
        var legs = await files.ReadLegsAsync(cancellationToken) with
        {
            Start = await files.ReadStartAsync(cancellationToken),
            Begun = await files.ReadBegunAsync(cancellationToken),
            StartedBy = await files.ReadStartedByAsync(cancellationToken),
        };
        legs = legs with { Missing = LegChain.Check(ending.Spec, legs, ending.Workers) };
        var didNothing = kept is null && DidNothing(ending, legs);
        if (kept is null && !didNothing && !accountEnds && CouldNotGoOn(ending, legs))
            return (NothingChanged(ending, ending.Workers.Select(worker => worker.Reason).OfType<string>()), null);
        if (kept is null && readDelaysAsync is not null)
            ending = ending with { Delays = await readDelaysAsync(new MergedRun(ending, legs).JudgedSeconds) };
        var report = RunReportBuilder.Build(ending, legs, prices);
        var missesLegs = kept is null && ending.Container is not null && legs.Missing.Count > 0
            && ending.Workers.All(worker => worker.End == WorkerState.Done);
        if (report.State != RunState.Failed && !missesLegs)
            await files.CreateEndingIfAbsentAsync(ending, cancellationToken);
        // The legs of a large run and the forms of its report together would need too much memory.
        legs = null;
        await RunForms.Kind.SaveAsync(store, report, cancellationToken);
        if (didNothing)
            await files.DiscardStartAsync(cancellationToken);
        else if (ending.Container is not null && !missesLegs)
            await files.CreateEndingIfAbsentAsync(ending, cancellationToken);
        var outcome = OutcomeOf(ending, report);
        outcome = outcome with
        {
            MissesLegs = missesLegs,
            Reasons = missesLegs ? [.. outcome.Reasons.Take(MaxReasons - 1), MissesLegsText] : outcome.Reasons,
            // Kept with the outcome, so that a status need not read the report.
            FailIfHolds = VerdictOn(report, await files.ReadFailIfAsync(cancellationToken)),
        };
        return (outcome, report);
    }

    /// <summary>
    /// Whether the run fails by its condition; null if the condition rests on figures that are not valid, as all are of a run that measured
    /// nothing.
    /// </summary>
    private static bool? VerdictOn(RunReport report, string? condition) => FailIfExpression.VerdictOn(
        condition,
        report.State == RunState.Complete,
        () => ReportNumbers.From(report with { Utilization = report.Utilization ?? new Utilization() }),
        ReportNumbers.OpenIn(report));

    /// <summary>
    /// Whether workers failed and no leg of any start finished a document, for example because writing is not permitted. Such a run can
    /// start later, like one that could not get its container.
    /// </summary>
    private static bool DidNothing(RunEnding ending, RunLegs legs) =>
        ending.Container is not null
        && legs is { LostLegs: 0, Damaged.Count: 0 }
        && legs.Results.All(leg => leg.Counts.Done == 0)
        // Operations that were in flight when the first was rejected have no outcome, but the container's count shows it.
        && (ending.Verification is { Verified: 0 } || legs.Results.All(leg => leg.Uncertain.Count == 0))
        && ending.Workers.Any(worker => worker.End == WorkerState.Failed)
        && ending.Workers.All(worker => worker.Counts.Done == 0 && worker.End != WorkerState.Stopped);

    /// <summary>Whether the run was resumed and its workers failed before they finished a document. Another start may succeed.</summary>
    private static bool CouldNotGoOn(RunEnding ending, RunLegs legs) =>
        legs.Begun.Count > 1
        && ending.Workers.Any(worker => worker.End == WorkerState.Failed)
        && ending.Workers.All(worker => worker.DoneNow == 0 && worker.End != WorkerState.Stopped);

    private static RunOutcome NothingChanged(RunEnding ending, IEnumerable<string> reasons) => new()
    {
        RunId = ending.Spec.Id!,
        State = ending.StoppedInPreparation ? RunState.Stopped : RunState.Failed,
        Remaining = ending.Spec.Documents,
        Reasons = [.. reasons.Distinct().Take(MaxReasons).Select(reason => $"The run could not go on: {reason}")],
        NothingChanged = true,
    };

    public static RunOutcome OutcomeOf(RunEnding ending, RunReport report)
    {
        return OutcomeOf(report) with
        {
            Totals = new()
            {
                StartedAt = report.StartedAt,
                FinishedAt = report.FinishedAt,
                LostLegs = report.LostLegs,
                DistinctInstances = report.DistinctInstances,
                MakespanPerSecond = report.Throughput.MakespanPerSecond,
                PerSecond = RatesOf(report),
                LatencyMs = report.LatencyMs.Operation,
                BoundBy = report.BoundBy is { } bound ? Words.From(bound) : null,
                Verdict = Sentences.Bound(report),
                Invalid = InvalidParts.WhatOf(report.Invalid),
            },
            Reasons = [.. RunReasons.From(ending, report).Take(MaxReasons)],
        };
    }

    /// <summary>The rates of the report, and the rate of throttled attempts over the makespan, which the report does not have.</summary>
    private static Rates? RatesOf(RunReport report) => report.Throughput is { Rate: { } rate, MakespanSeconds: > 0 and var seconds }
        ? new(rate, report.Requests.Throttled / seconds, report.RequestUnits.PerSecondMean ?? 0)
        : null;

    /// <summary>The outcome as far as the report alone shows it: without totals and reasons.</summary>
    public static RunOutcome OutcomeOf(RunReport report)
    {
        return new()
        {
            RunId = report.Id,
            State = report.State,
            Counts = new()
            {
                Inserted = report.Documents.Inserted,
                AlreadyPresent = report.Documents.AlreadyPresent,
                Failed = report.Documents.Failed,
                Attempts = report.Requests.Attempts,
                Throttled = report.Requests.Throttled,
                Errors = report.Requests.OtherErrors,
                RequestUnits = RequestUnits.From(report.RequestUnits.Total),
                Bytes = (long)Math.Round((report.DocumentBytes ?? 0) * report.Documents.Inserted),
            },
            Remaining = report.Documents.Remaining,
            Verified = report.Documents.Verified,
        };
    }
}
