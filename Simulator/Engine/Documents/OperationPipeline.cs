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
        long start = timer.Timestamp;
        splits.Observe();
        work.Container.Observe();
        FaultDecision fault = faults.Decide(work.Kind, mode, work.Partition?.Ordinal);
        double delayMs = fault.DelayMs;
        if (delayMs > 0)
            await timer.DelayUntilAsync(start, delayMs).ConfigureAwait(false);

        bool executes = !fault.ReplacesResponse || fault.AfterOperation;
        if (executes)
            work.Execute(clock.NowTicks);
        // A gateway finds the way around a split itself; Direct clients have to.
        bool reroutes = executes && mode == ConnectionMode.Gateway;
        for (int i = 0; i < MostReroutes && reroutes && work.Result.IsRejectedBySplit && work.TryReroute(); i++)
        {
            delayMs += RerouteMs;
            await timer.DelayAsync(RerouteMs).ConfigureAwait(false);
            work.Execute(clock.NowTicks);
        }

        if (fault.ReplacesResponse)
            work.Fail(fault, executes, clock.NowTicks);

        delayMs += executes ? latency.NextMs(work.Demand, mode) : latency.WayMs(mode);
        // What the account's own work took is part of the time that the physics give, not on top of it.
        work.Delay = new ResponseDelay(start, delayMs);
        await timer.DelayUntilAsync(start, delayMs).ConfigureAwait(false);
        return !fault.CloseConnection;
    }

    /// <summary>The network's way alone, which a request takes that never became an operation.</summary>
    public ValueTask DelayAsync(ConnectionMode mode) => timer.DelayAsync(latency.WayMs(mode));
}
