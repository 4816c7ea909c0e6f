namespace ScaleOut.Tests.Analysis.Findings;

/// <summary>Where an effect comes from, and that nothing gets a verdict that the simulated account was given.</summary>
public sealed class OriginsTests
{
    public static TheoryData<FindingKind> Assumed =>
    [
        FindingKind.DirectBeatsGateway, FindingKind.IndexingMode, FindingKind.ClientConsistency, FindingKind.MaxConnections,
        FindingKind.Batching, FindingKind.FittingPartitionKey, FindingKind.LowLatencyNetwork, FindingKind.IndexingThrottles,
        FindingKind.DeletesLikeWrites, FindingKind.ExcludedPaths,
    ];

    public static TheoryData<FindingKind> Emergent =>
        [FindingKind.InstancesLikeCores, FindingKind.MoreCores, FindingKind.Bulk, FindingKind.ParallelQuery];

    [Theory]
    [MemberData(nameof(Assumed))]
    public void Evaluate_AssumedOnTheSimulatedAccount_HasNoVerdict(FindingKind kind)
    {
        var result = Simulated(kind, 1.5);

        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed, true), (result.Verdict, result.Origin, result.Simulated));
        Assert.Equal("on the simulated account the effect follows from its parameters, so there is no verdict", result.Reason);
        Assert.StartsWith($"Follows from {result.FollowsFrom}: the parameters alone ", result.Sentence, StringComparison.Ordinal);
        Assert.Contains(", measured 1.5", result.Sentence, StringComparison.Ordinal);
        Assert.NotNull(result.Interval95);
    }

    [Theory]
    [MemberData(nameof(Emergent))]
    public void Evaluate_EmergentOnTheSimulatedAccount_KeepsItsVerdict(FindingKind kind)
    {
        var (simulated, real) = (Simulated(kind, 1.5), Evaluation.OfPair(kind, 1.5));

        Assert.Equal((real.Verdict, real.Sentence), (simulated.Verdict, simulated.Sentence));
        Assert.Equal((FindingOrigin.Emergent, FindingOrigin.Measured), (simulated.Origin, real.Origin));
        Assert.Null(simulated.FollowsFrom);
    }

    [Theory]
    [MemberData(nameof(FindingTestsTests.PairKinds), MemberType = typeof(FindingTestsTests))]
    public void Evaluate_RealAccount_IsMeasuredAndHasAVerdict(FindingKind kind)
    {
        var result = Evaluation.OfPair(kind, 1.5);

        Assert.Equal((FindingOrigin.Measured, false), (result.Origin, result.Simulated));
        Assert.True(result.Verdict is FindingVerdict.Supported or FindingVerdict.Refuted, result.ToString());
        Assert.Null(result.Predicted);
    }

    /// <summary>Far below the budget: (1.3 + 2 + 4.2527) / (1.3 + 4.2527) is 1.36.</summary>
    [Fact]
    public void Evaluate_DirectOverGateway_SaysWhatTheHopPredicts()
    {
        static Truth FarBelow(Truth truth) =>
            truth with { Simulated = true, Spec = truth.Spec with { Container = new() { Throughput = 1_000_000 } } };
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.23, FarBelow, FarBelow);

        Assert.Equal("gatewayHopMs = 2", result.FollowsFrom);
        Assert.Equal(1.3602, result.Predicted!.Value, 4);
        Assert.Matches(
            @"^Follows from gatewayHopMs = 2: the parameters alone predict 1\.36 x, measured 1\.23 x \(1\.2\d+ to 1\.23\d*\)\.$",
            result.Sentence);
    }

    [Fact]
    public void Evaluate_SingleRepeat_SaysWhatWasMeasuredWithoutAnInterval() => Assert.EndsWith(
        ", measured 1.23 x.",
        Evaluation.From(FindingKind.DirectBeatsGateway, Simulate(Pairs.From(FindingKind.DirectBeatsGateway, 1.23)), repeats: 1).Sentence,
        StringComparison.Ordinal);

    [Fact]
    public void Evaluate_NotTested_StaysNotTested()
    {
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1, Bound, Bound);

        Assert.Equal((FindingVerdict.NotTested, FindingOrigin.Assumed), (result.Verdict, result.Origin));
        Assert.Contains("both variants were bound by request units", result.Reason, StringComparison.Ordinal);

        static Truth Bound(Truth truth) => truth with { Simulated = true, BoundBy = BoundBy.RequestUnits };
    }

    [Fact]
    public void Evaluate_GatewayWithoutAHop_Emerges()
    {
        static Truth WithoutHop(Truth truth) =>
            truth with { Simulated = true, Spec = truth.Spec with { Simulation = new() { Latency = LatencyProfile.None } } };
        Assert.Equal(
            FindingOrigin.Emergent, Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.5, WithoutHop, WithoutHop).Origin);
    }

    [Theory]
    [InlineData(ConnectionMode.Gateway, 20, 1_000, FindingOrigin.Assumed)]
    [InlineData(ConnectionMode.Gateway, 100, 1_000, FindingOrigin.Emergent)]
    [InlineData(ConnectionMode.Direct, 100, 1_000, FindingOrigin.Assumed)]
    [InlineData(ConnectionMode.Direct, 100, 3, FindingOrigin.Emergent)]
    public void Evaluate_Connections_EmergeWhereOneLimitCanBind(ConnectionMode mode, int concurrency, int limit, FindingOrigin origin)
    {
        Truth With(Truth truth, int? connections) => truth with
        {
            Simulated = true,
            Spec = truth.Spec with { Client = new() { ConnectionMode = mode, Concurrency = concurrency, MaxConnections = connections } },
        };
        Assert.Equal(
            origin,
            Evaluation.OfPair(FindingKind.MaxConnections, 1.5, truth => With(truth, null), truth => With(truth, limit)).Origin);
    }

    [Theory]
    [InlineData(WorkloadKind.Insert, ConsistencyLevel.Strong, FindingOrigin.Assumed)]
    [InlineData(WorkloadKind.Read, ConsistencyLevel.ConsistentPrefix, FindingOrigin.Assumed)]
    [InlineData(WorkloadKind.Read, ConsistencyLevel.BoundedStaleness, FindingOrigin.Emergent)]
    public void Evaluate_Consistency_EmergesWhereTheSdkReadsFromAQuorum(WorkloadKind kind, ConsistencyLevel level, FindingOrigin origin)
    {
        Truth With(Truth truth, ConsistencyLevel asked) => truth with
        {
            Simulated = true,
            Spec = truth.Spec with { Client = new() { Consistency = asked }, Workload = new() { Kind = kind } },
        };
        var result = Evaluation.OfPair(
            FindingKind.ClientConsistency, 1, truth => With(truth, level), truth => With(truth, ConsistencyLevel.Eventual));
        Assert.Equal(origin, result.Origin);
        Assert.Equal(origin == FindingOrigin.Assumed ? 1 : null, result.Predicted);
    }

    [Fact]
    public void Evaluate_BatchesBoundByProcessors_Emerge() => Assert.Equal(
        FindingOrigin.Emergent,
        Evaluation.OfPair(
            FindingKind.Batching, 3, truth => truth with { Simulated = true },
            truth => truth with { Simulated = true, BoundBy = BoundBy.Client }).Origin);

    [Theory]
    [InlineData(1e6, FindingVerdict.Assumed, FindingOrigin.Assumed)]
    [InlineData(6_000, FindingVerdict.Supported, FindingOrigin.Emergent)]
    public void Evaluate_MoreRequestUnits_EmergeWhereTheClientIsTheLimitInTheEnd(
        double clientRate, FindingVerdict verdict, FindingOrigin origin)
    {
        var result = Evaluation.From(
            FindingKind.MoreRequestUnits, Simulate(Ladder.OfThroughput(clientRate, 10_000, 20_000, 40_000, 80_000)));
        Assert.Equal((verdict, origin), (result.Verdict, result.Origin));
    }

    [Fact]
    public void Evaluate_NoRuns_HasNoOrigin() => Assert.Null(Evaluation.From(
        FindingKind.Bulk, Pairs.From(FindingKind.Bulk, 1), repeats: 0).Origin);

    private static FindingResult Simulated(FindingKind kind, double ratio) => Evaluation.From(kind, Simulate(Pairs.From(kind, ratio)));

    private static IReadOnlyList<Truth> Simulate(IReadOnlyList<Truth> truths) =>
        [.. truths.Select(truth => truth with { Simulated = true })];
}
