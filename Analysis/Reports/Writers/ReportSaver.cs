using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>Makes a run's report from what its legs left, and keeps it in the run store in every form.</summary>
public static class ReportSaver
{
    /// <summary>Reasons that an outcome lists.</summary>
    public const int MaxReasons = 10;

    private const string MissesLegsText = "The run has not ended: whoever resumes it runs the missing legs again.";

    /// <summary>
    /// Reads the legs, builds the report and writes all forms. Calling it again writes the same again, also with another ending. Nothing is
    /// written for a start that never had the container when an earlier start had it, or that did no document because workers failed.
    /// </summary>
    /// <remarks>
    /// How the run ended is kept first, for its account may be gone when its report is to be made again; from then on no leg is run again.
    /// Not so for a run that failed: until its report is there, resuming it may bring it further. A run that could not start may start yet,
    /// so how it ended is not kept at all, and nor is it for a run that misses legs although its workers are done.
    /// </remarks>
    /// <param name="store">The run store.</param>
    /// <param name="prices">For the cost; null for none.</param>
    /// <param name="readDelaysAsync">
    /// Reads the simulated account's delays in the seconds by which the run is judged; null if there are none to read.
    /// </param>
    /// <param name="accountEnds">Whether the account ends with this start of the run, and its documents with it.</param>
    /// <exception cref="EvidenceException">What is kept of the run contradicts itself.</exception>
    /// <returns>The outcome, and the report if it was written.</returns>
    public static async Task<(RunOutcome Outcome, RunReport? Report)> SaveAsync(
        IRunStore store, RunEnding ending, CancellationToken cancellationToken, PriceList? prices = null,
        Func<SecondSet, Task<DeliveredDelays?>>? readDelaysAsync = null, bool accountEnds = false)
    {
        var files = new RunFiles(store, ending.Spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(ending)));
        var kept = await files.ReadEndingAsync(cancellationToken);
        ending = kept ?? ending;
        if (ending.Container is null && await files.HasAsync(RunFiles.PreparedName, cancellationToken))
            return (LeftAsItWas(ending, ending.Rejections), null);
        var legs = await files.ReadLegsAsync(cancellationToken) with
        {
            Start = await files.ReadStartAsync(cancellationToken),
            Begun = await files.ReadBegunAsync(cancellationToken),
            StartedBy = await files.ReadStartedByAsync(cancellationToken),
        };
        legs = legs with { Missing = LegChain.Check(ending.Spec, legs, ending.Workers) };
        if (kept is null && !accountEnds && CouldNotGoOn(ending, legs))
            return (LeftAsItWas(ending, ending.Workers.Select(worker => worker.Reason).OfType<string>()), null);
        if (kept is null && readDelaysAsync is not null)
            ending = ending with { Delays = await readDelaysAsync(new MergedRun(ending, legs).JudgedSeconds) };
        var report = RunReportBuilder.Build(ending, legs, prices);
        var missesLegs = kept is null && ending.Container is not null && legs.Missing.Count > 0
            && ending.Workers.All(worker => worker.End == WorkerEnd.Done);
        if (report.State != RunState.Failed && !missesLegs)
            await files.KeepEndingAsync(ending, cancellationToken);
        await RunForms.Kind.SaveAsync(store, report, cancellationToken);
        if (ending.Container is not null && !missesLegs)
            await files.KeepEndingAsync(ending, cancellationToken);
        var outcome = OutcomeOf(ending, report);
        outcome = outcome with
        {
            MissesLegs = missesLegs,
            Reasons = missesLegs ? [.. outcome.Reasons.Take(MaxReasons - 1), MissesLegsText] : outcome.Reasons,
            // Kept with the outcome, so that a status need not read the report.
            FailIfHolds = FailIfExpression.VerdictOn(
                await files.ReadFailIfAsync(cancellationToken),
                report.State == RunState.Complete,
                () => ReportNumbers.From(report with { Utilization = report.Utilization ?? new Utilization() })),
        };
        return (outcome, report);
    }

    /// <summary>Whether a resumed run found its container, and no worker could do a single document: another start may do better.</summary>
    private static bool CouldNotGoOn(RunEnding ending, LegHarvest legs) =>
        legs.Begun.Count > 1
        && ending.Workers.Any(worker => worker.End == WorkerEnd.Failed)
        && ending.Workers.All(worker => worker.DoneNow == 0 && worker.End != WorkerEnd.Stopped);

    private static RunOutcome LeftAsItWas(RunEnding ending, IEnumerable<string> reasons) => new()
    {
        RunId = ending.Spec.Id!,
        State = ending.StoppedInPreparation ? RunState.Stopped : RunState.Failed,
        Remaining = ending.Spec.Documents,
        Reasons = [.. reasons.Distinct().Take(MaxReasons).Select(reason => $"The run could not go on: {reason}")],
        LeftAsItWas = true,
    };

    /// <summary>The report in a few words and numbers.</summary>
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
                MakespanSeconds = report.Throughput.MakespanSeconds,
                LatencyMs = report.LatencyMs.Operation,
                BoundBy = report.BoundBy is { } bound ? Words.From(bound) : null,
                Verdict = Sentences.Bound(report),
            },
            Reasons =
            [
                .. RunReasons.From(ending, report.State, report.Documents, report.MissingLegs, report.Failures, report.TimeErrors)
                    .Take(MaxReasons),
            ],
        };
    }

    /// <summary>What a report alone says of how its run ended: neither totals nor reasons.</summary>
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
                RequestUnits = report.RequestUnits.Total,
                Bytes = (long)Math.Round((report.DocumentBytes ?? 0) * report.Documents.Inserted),
            },
            Remaining = report.Documents.Remaining,
            Verified = report.Documents.Verified,
        };
    }
}
