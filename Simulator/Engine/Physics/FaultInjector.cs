using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>Decides which requests the fault rules hit. The first rule that hits counts; later ones do not add to it.</summary>
internal sealed class FaultInjector(IReadOnlyList<FaultRule> rules, SeededNoise noise, AccountClock clock)
{
    private readonly long[] _hits = new long[rules.Count];
    private long _firstOperationTicks;

    /// <summary>The decision for a request of the given kind that goes to a physical partition (null when it goes to several).</summary>
    public FaultDecision Decide(OperationKind kind, ConnectionMode mode, int? partition)
    {
        if (rules.Count == 0)
            return default;
        long now = clock.NowTicks;
        if (Volatile.Read(ref _firstOperationTicks) == 0)
            Interlocked.CompareExchange(ref _firstOperationTicks, now, 0);
        double seconds = (now - Volatile.Read(ref _firstOperationTicks)) / (double)TimeSpan.TicksPerSecond;
        for (int i = 0; i < rules.Count; i++)
        {
            FaultRule rule = rules[i];
            if (Matches(rule, kind, mode, partition, seconds)
                && (rule.Probability >= 1 || noise.NextUniform() < rule.Probability)
                && TryTakeHit(i, rule.MaxHits))
            {
                return new FaultDecision(rule.DelayMs ?? 0, rule.Status, rule.SubStatus ?? 0, rule.CloseConnection, rule.AfterOperation);
            }
        }

        return default;
    }

    private static bool Matches(FaultRule rule, OperationKind kind, ConnectionMode mode, int? partition, double seconds) =>
        (rule.Operation is not { } operation || (int)operation == (int)kind)
        && (rule.ConnectionMode is not { } only || only == mode)
        && (rule.Partition is not { } ordinal || ordinal == partition)
        && seconds >= rule.FromSeconds
        && (rule.UntilSeconds is not { } until || seconds < until);

    private bool TryTakeHit(int rule, long? limit)
    {
        if (limit is null)
            return true;
        if (Interlocked.Increment(ref _hits[rule]) <= limit)
            return true;
        Interlocked.Decrement(ref _hits[rule]);
        return false;
    }
}
