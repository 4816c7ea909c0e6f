namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class FaultInjectorTests
{
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch.AddYears(56));

    public static TheoryData<FaultOperation> Operations =>
    [
        FaultOperation.Create, FaultOperation.Upsert, FaultOperation.Replace, FaultOperation.Read, FaultOperation.Delete,
        FaultOperation.Batch, FaultOperation.Query, FaultOperation.Patch,
    ];

    [Fact]
    public void Decide_Conditions_MustAllHold()
    {
        var faults = Create(new FaultRule
        {
            Operation = FaultOperation.Create, ConnectionMode = ConnectionMode.Gateway, Partition = 2, Status = 503, SubStatus = 7,
        });

        Assert.Equal(new FaultDecision(0, 503, 7, false, false), faults.Decide(OperationKind.Create, ConnectionMode.Gateway, 2));
        Assert.Equal(default, faults.Decide(OperationKind.Upsert, ConnectionMode.Gateway, 2));
        Assert.Equal(default, faults.Decide(OperationKind.Create, ConnectionMode.Direct, 2));
        Assert.Equal(default, faults.Decide(OperationKind.Create, ConnectionMode.Gateway, 1));
        Assert.Equal(default, faults.Decide(OperationKind.Create, ConnectionMode.Gateway, null));
    }

    [Theory, MemberData(nameof(Operations))]
    public void Decide_EachOperation_MeansTheKindOfTheSameName(FaultOperation operation)
    {
        var faults = Create(new FaultRule { Operation = operation, Status = 500 });
        foreach (var kind in Enum.GetValues<OperationKind>())
            Assert.Equal(kind.ToString() == operation.ToString(), faults.Decide(kind, ConnectionMode.Gateway, 0).ReplacesResponse);
    }

    [Fact]
    public void Decide_Window_CountsFromTheFirstOperation()
    {
        var faults = Create(new FaultRule { FromSeconds = 2, UntilSeconds = 4, CloseConnection = true });
        _time.Advance(TimeSpan.FromHours(1));
        var hits = new List<bool>();
        for (var second = 0; second < 6; second++)
        {
            hits.Add(faults.Decide(OperationKind.Read, ConnectionMode.Gateway, 0).CloseConnection);
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal([false, false, true, true, false, false], hits);
    }

    [Fact]
    public void Decide_MaxHits_AreNotExceededByManyThreads()
    {
        var faults = Create(new FaultRule { Status = 410, MaxHits = 100 });
        var hits = 0;

        Parallel.For(0, 10_000, _ =>
        {
            if (faults.Decide(OperationKind.Create, ConnectionMode.Gateway, 0).Status == 410)
                Interlocked.Increment(ref hits);
        });

        Assert.Equal(100, hits);
    }

    [Fact]
    public void Decide_Probability_HitsAboutThatShareAndTheSameOnesForTheSameSeed()
    {
        bool[] Draw(ulong seed)
        {
            var faults = Create(new FaultRule { DelayMs = 1, Probability = 0.2 }, seed);
            return [.. Enumerable.Range(0, 20_000).Select(_ => faults.Decide(OperationKind.Create, ConnectionMode.Gateway, 0).DelayMs > 0)];
        }

        var hits = Draw(1);

        Assert.InRange(hits.Count(hit => hit), 3_800, 4_200);
        Assert.Equal(hits, Draw(1));
        Assert.NotEqual(hits, Draw(2));
    }

    [Fact]
    public void Decide_SeveralRules_TheFirstMatchApplies()
    {
        var faults = Create(new FaultRule { Status = 503, MaxHits = 1 }, new FaultRule { Status = 408, AfterOperation = true });
        Assert.Equal(503, faults.Decide(OperationKind.Create, ConnectionMode.Gateway, 0).Status);
        Assert.Equal(new FaultDecision(0, 408, 0, false, true), faults.Decide(OperationKind.Create, ConnectionMode.Gateway, 0));
    }

    [Theory]
    [InlineData(429, 3200, 1)]
    [InlineData(503, 0, 0)]
    public void ToResult_Status_IsTheResponseWithTheCharge(int status, int subStatus, int retryAfterMs)
    {
        var result = new FaultDecision(0, status, subStatus, false, false).ToResult(RequestUnits.From(2));

        Assert.Equal((status, subStatus, retryAfterMs), (result.Status, result.SubStatus, result.RetryAfterMs));
        Assert.Equal(RequestUnits.From(2), result.Charge);
        Assert.Equal("A fault rule of the simulated account responded.", result.Message);
    }

    [Fact]
    public void ToResult_ClosedConnection_HasNoStatus() =>
        Assert.Equal(0, new FaultDecision(0, null, 0, true, false).ToResult(RequestUnits.Zero).Status);

    private FaultInjector Create(params FaultRule[] rules) => new(rules, new SeededNoise(1), new AccountClock(_time));
    private FaultInjector Create(FaultRule rule, ulong seed) => new([rule], new SeededNoise(seed), new AccountClock(_time));
}
