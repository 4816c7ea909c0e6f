using ScaleOut.DevBox.Accounts;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Processes;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.DevBox.Engine;

/// <summary>The engine of one machine: workers are processes, and what they leave lies in the run's folder.</summary>
internal sealed class LocalRunPort(IRunStore store, RunFiles files, RunAccount account, ContainerControl containers, WorkerPool pool, RunStop stop, RunBoard board) : IRunPort
{
    /// <inheritdoc/>
    public string RunInstanceId => files.RunId;

    /// <inheritdoc/>
    public DateTimeOffset UtcNow => DateTimeOffset.UtcNow;

    /// <inheritdoc/>
    public async Task<Preparation> PrepareContainerAsync(RunSpec spec)
    {
        using var giveUp = new CancellationTokenSource();
        var preparing = containers.PrepareAsync(spec, store, giveUp.Token);
        if (await Task.WhenAny(preparing, account.Gone, stop.LegsOverdue) == preparing)
        {
            var preparation = await preparing;
            board.SetBudget(preparation.Container?.BudgetPerSecond);
            return preparation;
        }

        await AbandonAsync(preparing, giveUp);
        return account.Gone.IsCompleted ? new Preparation { Refusals = [await account.Gone] } : new Preparation { Stopped = true };
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(WorkerGroup group) => GroupOrchestration.RunAsync(this, group);

    /// <inheritdoc/>
    public async Task<WorkerOutcome> RunWorkerAsync(WorkerState worker)
    {
        while (true)
        {
            var turn = await WorkerOrchestration.RunTurnAsync(this, worker);
            if (turn.Outcome is { } outcome)
            {
                board.EndWorker(outcome);
                await pool.EndAsync(outcome.Worker);
                return outcome;
            }

            worker = turn.Continue!;
        }
    }

    /// <inheritdoc/>
    public async Task<LegOutput> RunLegAsync(LegInput leg)
    {
        if (await files.ReadResultAsync(leg.Assignment.Worker, leg.Leg, CancellationToken.None) is { } kept)
        {
            board.Restore(kept.Output);
            // A stop that was asked for in an earlier life of the run does not hold in this one.
            return kept.Output.End == LegEnd.Stopped && !stop.IsRequested ? kept.Output with { End = LegEnd.TimeUp } : kept.Output;
        }

        if (account.Gone.IsCompleted)
            return await AccountGoneAsync(leg);
        if (stop.IsRequested)
            return Nothing(leg, LegEnd.Stopped);

        try
        {
            var output = await pool.RunLegAsync(leg);
            board.EndLeg(output);
            return account.Gone.IsCompleted && output.End != LegEnd.SliceDone ? output with { End = LegEnd.Refused, Reason = await account.Gone } : output;
        }
        catch (LegLostException lost)
        {
            board.LoseLeg(leg.Assignment.Worker, lost.Message);
            if (account.Gone.IsCompleted)
                return await AccountGoneAsync(leg);
            if (stop.IsRequested)
                return Nothing(leg, LegEnd.Stopped);
            throw;
        }
    }

    /// <inheritdoc/>
    public async Task<Verification> VerifyAsync(PreparedContainer container)
    {
        if (account.Gone.IsCompleted)
            return new Verification(Verified: null, await account.Gone);

        using var giveUp = new CancellationTokenSource();
        var counting = containers.VerifyAsync(container, giveUp.Token);
        if (await Task.WhenAny(counting, account.Gone, stop.CountOverdue) == counting)
            return await counting;

        await AbandonAsync(counting, giveUp);
        return new Verification(Verified: null, account.Gone.IsCompleted ? await account.Gone : "the run was stopped, and counting took too long to wait for");
    }

    /// <inheritdoc/>
    public Task<RunOutcome> SaveReportAsync(RunEnding ending) => ReportSaver.SaveAsync(store, ending, CancellationToken.None);

    /// <inheritdoc/>
    public Task CleanUpAsync(PreparedContainer container) =>
        // The simulated account ends with the run, and its books are still to be read.
        account.Connection.Simulated ? Task.CompletedTask : containers.CleanUpAsync(container, CancellationToken.None);

    /// <inheritdoc/>
    public Task DelayAsync(TimeSpan delay) => Task.WhenAny(Task.Delay(delay), stop.Requested, account.Gone);

    /// <inheritdoc/>
    public void PublishStatus(RunStatus status)
    {
        // Nothing is deleted of a simulated account.
        if (status.Phase != RunPhase.CleaningUp || !account.Connection.Simulated)
            board.SetPhase(status.Phase);
    }

    private async Task<LegOutput> AccountGoneAsync(LegInput leg) => Nothing(leg, LegEnd.Refused) with { Reason = await account.Gone };

    private static LegOutput Nothing(LegInput leg, LegEnd end) => new()
    {
        Worker = leg.Assignment.Worker,
        Leg = leg.Leg,
        End = end,
        Inserted = 0,
        AlreadyPresent = 0,
        Failed = 0,
        Next = leg.Next,
    };

    /// <summary>Cancels work that nobody waits for any more; it has a moment to end by itself.</summary>
    private static async Task AbandonAsync(Task work, CancellationTokenSource cancellation)
    {
        await cancellation.CancelAsync();
        await Task.WhenAny(work, Task.Delay(TimeSpan.FromMilliseconds(200)));
        _ = work.ContinueWith(task => _ = task.Exception, TaskScheduler.Default);
    }
}
