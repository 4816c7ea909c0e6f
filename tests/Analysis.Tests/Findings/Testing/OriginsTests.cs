using ScaleOut.Tests.Analysis.Findings.Catalog;

namespace ScaleOut.Tests.Analysis.Findings.Testing;

/// <summary>Tests where an effect comes from, and that an effect that the simulated account was given has no verdict.</summary>
public sealed class OriginsTests
{
    public static TheoryData<FindingKind> Predicted =>
    [
        FindingKind.DirectBeatsGateway, FindingKind.IndexingMode, FindingKind.ClientConsistency, FindingKind.MaxConnections,
        FindingKind.Batching, FindingKind.FittingPartitionKey, FindingKind.LowLatencyNetwork, FindingKind.DeletesLikeWrites,
        FindingKind.ExcludedPaths, FindingKind.InstancesLikeCores, FindingKind.MoreCores, FindingKind.Bulk, FindingKind.ParallelQuery,
        FindingKind.Faster,
    ];

    [Theory]
    [MemberData(nameof(Predicted))]
    public void Evaluate_WhatTheParametersPredict_IsAssumedAndHasNoVerdict(FindingKind kind)
    {
        var result = Simulated(kind, PredictionOf(kind));

        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed, true), (result.Verdict, result.Origin, result.Simulated));
        Assert.Equal("on the simulated account the effect follows from its parameters, so there is no verdict", result.Reason);
        Assert.StartsWith(
            $"Follows from {result.FollowsFrom}: the parameters alone predict ", result.Sentence, StringComparison.Ordinal);
        Assert.Equal(1, result.MeasuredOverPredicted!.Value, 0.01);
        Assert.Null(result.RestsOn);
    }

    /// <summary>The finding is the ratio of both. A claim that the parameters alone decide has no verdict.</summary>
    [Theory]
    [MemberData(nameof(Predicted))]
    public void Evaluate_WhatTheyDoNotPredict_Emerges(FindingKind kind)
    {
        var predicted = PredictionOf(kind);
        var (simulated, real) = (Simulated(kind, predicted * 1.2), Evaluation.OfPair(kind, predicted * 1.2));

        Assert.Equal((FindingOrigin.Emergent, FindingOrigin.Measured), (simulated.Origin, real.Origin));
        Assert.Equal(1.2, simulated.MeasuredOverPredicted!.Value, 0.01);
        Assert.Null(real.Predicted);
        if (simulated.Verdict == FindingVerdict.Assumed)
        {
            Assert.Equal(real.Verdict, FindingCatalog.TestOf(kind).VerdictAt(predicted, new FindingSpec { Kind = kind }));
            Assert.Contains("The claim follows from the parameters; that factor emerges.", simulated.Sentence, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(real.Verdict, simulated.Verdict);
            Assert.StartsWith(real.Sentence, simulated.Sentence, StringComparison.Ordinal);
            Assert.Contains("The parameters alone (", simulated.Sentence, StringComparison.Ordinal);
        }
    }

    /// <summary>The latency predicts that more operations in flight do more. It does not predict that they stop doing more.</summary>
    [Theory]
    [InlineData(1, FindingVerdict.Assumed, FindingOrigin.Assumed)]
    [InlineData(0.5, FindingVerdict.Supported, FindingOrigin.Emergent)]
    public void Evaluate_ConcurrencyPeak_EmergesWhereTheRateDoesNotFollowTheLatency(
        double shareAbove, FindingVerdict verdict, FindingOrigin origin)
    {
        var levels = Ladder.OfConcurrency((1, 180), (2, 360), (4, 720), (8, 1_440 * shareAbove))
            .Select(truth => truth with { Simulated = true, Spec = Far(truth.Spec) }).ToList();
        var result = Evaluation.From(FindingKind.ConcurrencyPeak, levels);

        Assert.Equal((verdict, origin), (result.Verdict, result.Origin));
        Assert.Equal(origin == FindingOrigin.Emergent, result.Sentence.Contains("predict 8 x at ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1, FindingOrigin.Assumed)]
    [InlineData(0.8, FindingOrigin.Emergent)]
    public void Evaluate_Fleet_EmergesWhereItIsNotNTimesOne(double efficiency, FindingOrigin origin)
    {
        var law = new ScalabilityLaw(((1 / efficiency) - 1) / 7, 0, 1_000);
        var fleet = Ladder.OfWorkers(law, 1, 2, 4, 6, 8).Select(truth => truth with { Simulated = true, Spec = Far(truth.Spec) }).ToList();

        foreach (var kind in (FindingKind[])[FindingKind.SingleUnitPredictsFleet, FindingKind.ScalabilityLaw])
        {
            var result = Evaluation.From(kind, fleet);
            Assert.Equal((origin, 1.0), (result.Origin, Math.Round(result.Predicted!.Value, 6)));
            Assert.Equal(origin == FindingOrigin.Assumed, result.Verdict == FindingVerdict.Assumed);
        }
    }

    [Fact]
    public void Evaluate_FallsAfterPeak_EmergesWhereTheStepsDoNotFollowTheirUsers()
    {
        var result = Evaluation.From(
            FindingKind.FallsAfterPeak, [OneVariant.WithSteps(10, 30, 20, 15) with { Simulated = true }]);
        Assert.Equal((FindingVerdict.Supported, FindingOrigin.Emergent), (result.Verdict, result.Origin));
        Assert.True(result.Predicted is > 0 and <= 1, $"{result.Predicted}");
    }

    /// <summary>Only the difference between twice the RU/s and the client's use of them emerges.</summary>
    [Theory]
    [InlineData(1e6, FindingOrigin.Assumed)]
    [InlineData(1_500, FindingOrigin.Emergent)]
    public void Evaluate_MoreRequestUnits_EmergeByWhatTheBudgetDoesNotPredict(double clientRate, FindingOrigin origin)
    {
        var ladder = Ladder.OfThroughput(clientRate, 5_750, 11_500).Select(truth => truth with
        {
            Simulated = true,
            Spec = truth.Spec with { Client = new() { Concurrency = 1_000 } },
        }).ToList();
        var result = Evaluation.From(FindingKind.MoreRequestUnits, ladder);

        Assert.Equal((FindingVerdict.Assumed, origin, 2.0), (result.Verdict, result.Origin, result.Predicted));
        if (origin == FindingOrigin.Emergent)
            Assert.StartsWith("assumed but for ", FindingText.Label(result), StringComparison.Ordinal);
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

    /// <summary>What cannot be predicted cannot be told from what emerges.</summary>
    [Theory]
    [MemberData(nameof(FindingTestsTests.PairKinds), MemberType = typeof(FindingTestsTests))]
    public void Evaluate_SimulatedAccountOfUnknownParameters_HasNoVerdict(FindingKind kind)
    {
        var result = Evaluation.OfPair(
            kind, 1.5, changed: truth => truth with { Simulated = true, HasUnknownPhysics = true });

        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed, true), (result.Verdict, result.Origin, result.Simulated));
        Assert.StartsWith("the parameters of this simulated account are not known", result.Reason, StringComparison.Ordinal);
        Assert.Null(result.Predicted);
    }

    /// <summary>Attempts per batch have no predicted figure, but they follow from the charges.</summary>
    [Fact]
    public void Evaluate_ParametersThatGiveNoFigure_AreStillAssumed()
    {
        var result = Simulated(FindingKind.IndexingThrottles, 1.5);
        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed, null), (result.Verdict, result.Origin, result.Predicted));
        Assert.Contains("the parameters alone give no figure, measured 1.5", result.Sentence, StringComparison.Ordinal);
    }

    /// <summary>Far below the budget the prediction is (1.3 + 2 + 4.2527) / (1.3 + 4.2527) = 1.36.</summary>
    [Fact]
    public void Evaluate_DirectOverGateway_SaysWhatTheHopPredicts()
    {
        static Truth FarBelow(Truth truth) => truth with { Simulated = true, Spec = Far(truth.Spec) };
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.23, FarBelow, FarBelow);

        Assert.Equal("gatewayHopMs = 2", result.FollowsFrom);
        Assert.Equal(1.3602, result.Predicted!.Value, 4);
        Assert.Matches(
            @"^Follows from gatewayHopMs = 2: the parameters alone predict 1\.36 x, measured 1\.23 x \(1\.2\d+ to 1\.23\d*\), which is "
                + @"0\.90\d* times that \(0\.90\d* to 0\.90\d*\)\. The claim follows from the parameters; that factor emerges\.$",
            result.Sentence);
    }

    [Fact]
    public void Evaluate_SingleRepeat_SaysWhatWasMeasuredWithoutAnInterval() => Assert.EndsWith(
        ", measured 1.23 x.",
        Evaluation.From(FindingKind.DirectBeatsGateway, Simulate(Pairs.From(FindingKind.DirectBeatsGateway, 1.23)), repeats: 1).Sentence,
        StringComparison.Ordinal);

    [Fact]
    public void Evaluate_NotTested_StaysNotTestedBesideItsPrediction()
    {
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1, Bound, Bound);

        Assert.Equal((FindingVerdict.NotTested, null), (result.Verdict, result.Origin));
        Assert.Contains("both variants were bound by request units", result.Reason, StringComparison.Ordinal);
        Assert.NotNull(result.Predicted);

        static Truth Bound(Truth truth) => truth with { Simulated = true, BoundBy = BoundBy.RequestUnits };
    }

    [Fact]
    public void Evaluate_NoRuns_HasNoOrigin() => Assert.Null(Evaluation.From(
        FindingKind.Bulk, Pairs.From(FindingKind.Bulk, 1), repeats: 0).Origin);

    private static RunSpec Far(RunSpec spec) => spec with { Container = new() { Throughput = 1_000_000 } };

    private static double PredictionOf(FindingKind kind) => Simulated(kind, 1.5).Predicted!.Value;

    private static FindingResult Simulated(FindingKind kind, double ratio) => Evaluation.From(kind, Simulate(Pairs.From(kind, ratio)));

    private static IReadOnlyList<Truth> Simulate(IReadOnlyList<Truth> truths) =>
        [.. truths.Select(truth => truth with { Simulated = true })];
}
