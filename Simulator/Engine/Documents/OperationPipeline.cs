using System.Runtime.CompilerServices;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>The way of every document request, whichever front end it came through: faults, the operation itself, latency.</summary>
internal sealed class OperationPipeline(
    FaultInjector faults, LatencyModel latency, DelayTimer timer, AccountClock clock, SplitSchedule splits)
{
    private const double RerouteMs = 5;
    private const int MostReroutes = 2_000;

    /// <summary>Does prepared work; false when the connection is to be closed instead of responding.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> RunAsync(DocumentWork work, ConnectionMode mode)
    {
        splits.Observe();
        FaultDecision fault = faults.Decide(work.Kind, mode, work.Partition?.Ordinal);
        if (fault.DelayMs > 0)
            await timer.DelayAsync(fault.DelayMs).ConfigureAwait(false);

        bool executes = !fault.ReplacesResponse || fault.AfterOperation;
        if (executes)
            work.Execute(clock.NowTicks);
        // A gateway finds the way around a split itself; Direct clients have to.
        bool reroutes = executes && mode == ConnectionMode.Gateway;
        for (int i = 0; i < MostReroutes && reroutes && work.Result.IsRejectedBySplit && work.TryReroute(); i++)
        {
            await timer.DelayAsync(RerouteMs).ConfigureAwait(false);
            work.Execute(clock.NowTicks);
        }

        if (fault.ReplacesResponse)
            work.Fail(fault, executes, clock.NowTicks);

        bool served = executes && !work.Result.IsThrottled;
        await timer.DelayAsync(latency.NextMs(work.IsWrite, served, mode)).ConfigureAwait(false);
        return !fault.CloseConnection;
    }

    /// <summary>The network's way alone, which a request takes that never became an operation.</summary>
    public ValueTask DelayAsync(ConnectionMode mode) => timer.DelayAsync(latency.NextMs(write: false, served: false, mode));
}
