using System.Runtime.CompilerServices;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>The way of every document request, whichever front end it came through: faults, the operation itself, latency.</summary>
internal sealed class OperationPipeline(FaultInjector faults, LatencyModel latency, DelayTimer timer, AccountClock clock, SplitSchedule splits)
{
    private const double RouteAgainMs = 5;
    private const int MostRoutes = 2_000;

    /// <summary>Does prepared work; false when the connection is to be closed instead of answering.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> RunAsync(DocumentWork work, ConnectionMode mode)
    {
        splits.Observe();
        FaultDecision fault = faults.Decide(work.Kind, mode, work.Partition);
        if (fault.DelayMs > 0)
            await timer.DelayAsync(fault.DelayMs).ConfigureAwait(false);

        bool executes = !fault.ReplacesAnswer || fault.AfterOperation;
        if (executes)
            work.Execute(clock.NowTicks);
        // A gateway finds the way around a split itself; Direct clients have to.
        for (int i = 0; i < MostRoutes && mode == ConnectionMode.Gateway && work.Result.IsTurnedAwayBySplit && executes && work.TryRoute(); i++)
        {
            await timer.DelayAsync(RouteAgainMs).ConfigureAwait(false);
            work.Execute(clock.NowTicks);
        }

        if (fault.ReplacesAnswer)
            work.Fail(fault.Status, fault.SubStatus, executes, clock.NowTicks);

        bool served = executes && !work.Result.IsThrottled;
        await timer.DelayAsync(latency.NextMs(work.IsWrite, served, mode)).ConfigureAwait(false);
        return !fault.CloseConnection;
    }

    /// <summary>The wait of a request that never became an operation, such as a malformed one.</summary>
    public ValueTask DelayRejectedAsync(ConnectionMode mode) => timer.DelayAsync(latency.NextMs(write: false, served: false, mode));
}
