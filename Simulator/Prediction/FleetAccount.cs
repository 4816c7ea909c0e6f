namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// The simulated account's own physics in virtual time: the budgets of its partitions, what a 429 says, and how long requests take.
/// </summary>
internal sealed class FleetAccount
{
    private static readonly long Epoch = DateTime.UnixEpoch.Ticks;

    private readonly RequestUnitBudget[] _budgets;
    private readonly LatencyModel _latency;
    private readonly FleetTally _tally;
    private readonly FleetSpec _spec;
    private readonly RequestUnits _charge;

    /// <param name="spec">The fleet; each partition has its share of the throughput.</param>
    /// <param name="noise">Of latencies and of what 429s say.</param>
    /// <param name="tally">Takes what is charged and throttled.</param>
    public FleetAccount(FleetSpec spec, SeededNoise noise, FleetTally tally)
    {
        (_spec, _tally) = (spec, tally);
        _latency = new LatencyModel(spec.Latency, noise);
        _charge = RequestUnits.From(spec.ChargePerDocument * spec.DocumentsPerOperation);
        var retryAfter = new RetryAfter(spec.Throttling, noise);
        _budgets = new RequestUnitBudget[spec.Partitions];
        for (int i = 0; i < _budgets.Length; i++)
            _budgets[i] = new RequestUnitBudget(spec.Throughput / spec.Partitions, spec.Burst, Epoch, retryAfter);
    }

    /// <summary>Does one operation; false when it is throttled.</summary>
    public bool TryExecute(int partition, long now, out int retryAfterMs)
    {
        RequestUnitBudget budget = _budgets[partition];
        if (!budget.TryAdmit(Epoch + now, out retryAfterMs))
        {
            _tally.Throttle(now);
            return false;
        }

        budget.Charge(_charge);
        _tally.Admit(partition, _charge, now);
        return true;
    }

    /// <summary>When the response to a request is with the client, which adds something beside its CPU.</summary>
    /// <param name="operations">Operations in it that were not throttled.</param>
    public long RespondAt(int partition, long now, int operations)
    {
        _tally.Requests++;
        int documents = operations * _spec.DocumentsPerOperation;
        var demand = new ServiceDemand(
            _spec.IsWrite, documents, (long)documents * _spec.BytesPerDocument, _budgets[partition].Utilization);
        double latencyMs = _latency.NextMs(demand, _spec.ConnectionMode) + _spec.OverheadMs;
        return now + (long)(latencyMs * TimeSpan.TicksPerMillisecond);
    }
}
