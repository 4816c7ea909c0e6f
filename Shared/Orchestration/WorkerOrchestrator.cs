namespace ScaleOut.Orchestration;

/// <summary>
/// Runs a worker's legs, one after the other, until its slice is done. A lost leg is run again from the same document number, and finds the
/// documents that the lost attempt had written.
/// </summary>
public static class WorkerOrchestrator
{
    /// <summary>Number of legs after which the orchestration continues as new, so that its history stays small.</summary>
    public const int LegsPerTurn = 20;

    /// <summary>
    /// Number of legs in a row without a finished document after which the worker gives up. One is enough if the account did not respond.
    /// </summary>
    public const int MaxIdleInARow = 3;

    /// <summary>Number of lost attempts at one leg after which the worker gives up.</summary>
    public const int MaxLostInARow = 20;

    /// <summary>Runs up to <see cref="LegsPerTurn"/> legs. Returns null only when it continues as new.</summary>
    /// <param name="worker">The input of its next leg.</param>
    public static async Task<WorkerOutcome?> RunAsync(IOrchestrationContext context, LegInput worker)
    {
        for (var call = 0; call < LegsPerTurn; call++)
        {
            LegOutput leg;
            try
            {
                var now = new DateTimeOffset(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));
                leg = await context.CallActivityAsync<LegOutput>(FunctionNames.RunLeg, worker with { DispatchedAt = now });
            }
            catch (OrchestrationTaskException lost)
            {
                worker = worker with { LostInARow = worker.LostInARow + 1, LastLost = LegOutput.Shorten(lost.Message) };
                context.CreateReplaySafeLogger<LegInput>().LegLost(
                    worker.Leg, worker.Assignment.Worker, worker.LostInARow, lost.Message);
                var before = OrchestrationVersions.IsAtLeast(context.Version, "1.2") ? worker.LostInARow - 1 : 1;
                if (OrchestrationTaskException.IsDeterministic(lost.ErrorType, before))
                    return End(worker, WorkerState.Failed, $"Leg {worker.Leg} cannot be run: {lost.Message}");
                if (worker.LostInARow >= MaxLostInARow)
                    return End(worker, WorkerState.Failed,
                        $"Leg {worker.Leg} was lost {worker.LostInARow} times in a row; the last time: {lost.Message}");
                if (OrchestrationWaits.AfterLostLeg(worker.LostInARow) is var wait && wait > TimeSpan.Zero)
                    await context.CreateTimer(wait);
                continue;
            }

            worker = worker with
            {
                Leg = worker.Leg + 1,
                Next = leg.Next,
                Before = worker.Before.Plus(leg),
                DoneNow = worker.DoneNow + (leg.IsKept ? 0 : leg.Counts.Done),
                LostInARow = 0,
                LastLost = null,
                IdleInARow = leg.Counts.Done > 0 || leg.NothingDue ? 0 : worker.IdleInARow + 1,
            };
            if (EndAfter(worker, leg) is { } outcome)
                return outcome;
        }

        context.ContinueAsNew(worker);
        return null;
    }

    private static WorkerOutcome? EndAfter(LegInput worker, LegOutput leg) => leg.End switch
    {
        LegEnd.SliceDone or LegEnd.StepsDone => End(worker, WorkerState.Done),
        LegEnd.Stopped => End(worker, WorkerState.Stopped),
        LegEnd.Rejected => End(worker, WorkerState.Failed, leg.Reason),
        LegEnd.AccountSilent when leg.Counts.Done == 0 => End(worker, WorkerState.Failed, leg.Reason),
        _ when worker.IdleInARow >= MaxIdleInARow =>
            End(worker, WorkerState.Failed, $"{MaxIdleInARow} legs in a row finished no document. {leg.Reason}".TrimEnd()),
        _ => null,
    };

    private static WorkerOutcome End(LegInput worker, WorkerState end, string? reason = null) => new()
    {
        Worker = worker.Assignment.Worker,
        End = end,
        Counts = worker.Before.Counts,
        DoneNow = worker.DoneNow,
        Remaining = worker.Assignment.Slice.Count - worker.Before.Counts.Done,
        Reason = LegOutput.Shorten(reason),
    };
}
