namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Runs every document request of both front ends: faults, the operation, latency.</summary>
internal sealed class OperationPipeline(
    FaultInjector faults, LatencyModel latency, DelayTimer timer, AccountClock clock, SplitSchedule splits)
{
    private const int MaxReroutes = 2_000;

    /// <summary>Runs prepared work. False if the connection is to be closed instead of responding.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> RunAsync(DocumentWork work, ConnectionMode mode)
    {
        var start = timer.Timestamp;
        splits.Observe();
        work.Container.Splits.Observe();
        var fault = faults.Decide(work.Kind, mode, work.Partition?.Ordinal);
        var delayMs = fault.DelayMs;
        if (delayMs > 0)
            await timer.DelayUntilAsync(start, delayMs);

        var executes = !fault.ReplacesResponse || fault.AfterOperation;
        if (executes)
            work.Execute(clock.NowTicks);
        // The gateway reroutes requests after a split by itself. Direct clients must do so themselves.
        var reroutes = executes && mode == ConnectionMode.Gateway;
        for (var i = 0; i < MaxReroutes && reroutes && work.Result.IsRejectedBySplit && work.TryReroute(); i++)
        {
            delayMs += LatencyModel.RerouteMs;
            await timer.DelayAsync(LatencyModel.RerouteMs);
            work.Execute(clock.NowTicks);
        }

        if (fault.ReplacesResponse)
            work.Fail(fault, executes, clock.NowTicks);

        delayMs += executes ? latency.NextMs(work.Demand, mode) : latency.NetworkMs(mode);
        work.ServiceMs = Math.Max(0, delayMs - latency.NetworkMs(mode));
        // The configured delay includes the account's own processing time.
        work.Delay = new ResponseDelay(start, delayMs);
        await timer.DelayUntilAsync(start, delayMs);
        return !fault.CloseConnection;
    }

    /// <summary>Delays by the network latency only, for a request that was rejected before it became an operation.</summary>
    public ValueTask DelayAsync(ConnectionMode mode) => timer.DelayAsync(latency.NetworkMs(mode));
}

/// <summary>Admits, executes, charges and records operations.</summary>
internal static class OperationAdmission
{
    public static OperationResult Execute_NeedsLock(
        DocumentWork work, PhysicalPartition partition, DocumentOperation operation, long nowTicks)
    {
        if (!TryAdmit_NeedsLock(partition, operation.Kind, work.Claim, nowTicks, out var rejection))
            return rejection;
        var result = new OperationExecution(work, partition, operation, undo: null, nowTicks).Run_NeedsLock();
        // The charge of a request is rounded. The results in a bulk response are not.
        if (work.Kind != OperationKind.Batch)
            result.Charge = result.Charge.Rounded();
        partition.RecordCharge_NeedsLock(operation.Kind, result.Charge, nowTicks, work.Claim);
        return result;
    }

    /// <summary>Records the attempt. False, with the result, if the partition or container is gone or the budget is used up.</summary>
    public static bool TryAdmit_NeedsLock(
        PhysicalPartition partition, OperationKind kind, BudgetClaim claim, long nowTicks, out OperationResult rejection)
    {
        rejection = default;
        if (partition.IsSplitting)
        {
            // The SDK retries on the new partition without notifying its caller, so the rejection does not count as an attempt.
            rejection = OperationResult.CompletingSplit;
            return false;
        }

        partition.Counter.Attempt(kind);
        if (partition.Status == PartitionStatus.Deleted)
        {
            rejection = OperationResult.Fail(ServiceStatus.NotFound, "Owner resource does not exist.", ServiceStatus.OwnerNotFound);
            return false;
        }

        partition.RemoveExpired_NeedsLock(nowTicks);
        if (partition.TryAdmit_NeedsLock(claim, nowTicks, out rejection))
            return true;
        partition.RecordThrottled_NeedsLock(kind, rejection.Charge, nowTicks);
        return false;
    }

    /// <summary>Records a fault: the client counts an attempt, and a 429 if it sees one.</summary>
    public static OperationResult Fail_NeedsLock(
        PhysicalPartition partition, OperationKind kind, in OperationResult result, in FaultDecision fault, bool executed, long nowTicks)
    {
        if (!executed)
            partition.Counter.Attempt(kind);
        var isThrottled = fault.Status == ServiceStatus.TooManyRequests;
        var charge = !executed && isThrottled ? RequestCharges.Throttled : RequestUnits.Zero;
        if (isThrottled && !(executed && result.IsThrottled))
            partition.RecordThrottled_NeedsLock(kind, charge, nowTicks);
        return fault.ToResult(executed ? result.Charge : charge) with { Lsn = partition.Lsn };
    }
}
