namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>The effect of the fault rules on one request.</summary>
internal readonly record struct FaultDecision(double DelayMs, int? Status, int SubStatus, bool CloseConnection, bool AfterOperation)
{
    /// <summary>Whether the client gets something other than the operation's response.</summary>
    public bool ReplacesResponse => Status is not null || CloseConnection;

    public OperationResult ToResult(RequestUnits charge) =>
        OperationResult.Fail(Status ?? 0, "A fault rule of the simulated account responded.", SubStatus) with
        {
            Charge = charge,
            RetryAfterMs = Status == ServiceStatus.TooManyRequests ? 1 : 0,
        };
}

/// <summary>Decides which requests the fault rules hit. Only the first rule that hits counts.</summary>
internal sealed class FaultInjector(IReadOnlyList<FaultRule> rules, SeededNoise noise, AccountClock clock)
{
    private readonly long[] _hits = new long[rules.Count];

    /// <param name="partition">The request's physical partition; null for several.</param>
    public FaultDecision Decide(OperationKind kind, ConnectionMode mode, int? partition)
    {
        if (rules.Count == 0)
            return default;
        var seconds = clock.SecondsSinceFirstOperation();
        for (var i = 0; i < rules.Count; i++)
        {
            var rule = rules[i];
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
        (rule.Operation is not { } operation || operation == kind)
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
