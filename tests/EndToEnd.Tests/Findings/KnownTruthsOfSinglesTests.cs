namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// Claims about one variant with a known truth. Measures how often the verdict is wrong and how often a true effect is decided, and tests
/// what keeps a claim from being tested.
/// </summary>
public sealed class KnownTruthsOfSinglesTests
{
    private const double MaxWrong = 0.05;
    private const double MinDecided = 0.80;

    /// <summary>
    /// These experiments have no drift. With a single variant nothing cancels a drift out, so the figure describes the machine as it was.
    /// <see cref="FindingTruthsTests"/> has runs that resemble their neighbours.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_LatencyUnder_SeldomWrongAndDecidesTenPercent()
    {
        static VerdictRates From(double p99) => VerdictRates.From(
            $"99% within {p99} ms", new() { Kind = FindingKind.LatencyUnder }, _ => [OneVariant.WithP99(p99)], range: NoiseRange.Measured,
            drift: false);

        var (at, below, above) = (From(10), From(9), From(11));
        Assert.InRange(at.Supported, 0, MaxWrong);
        Assert.InRange(at.Refuted, 0, MaxWrong);
        Assert.InRange(below.Refuted, 0, MaxWrong);
        Assert.InRange(above.Supported, 0, MaxWrong);
        Assert.InRange(below.Supported, MinDecided, 1);
        Assert.InRange(above.Refuted, MinDecided, 1);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_FallsAfterPeak_SeldomWrongAndDecidesTenPercent()
    {
        static VerdictRates From(string truth, params double[] rates) => VerdictRates.From(
            truth, new() { Kind = FindingKind.FallsAfterPeak }, _ => [OneVariant.WithSteps(rates)], range: NoiseRange.Measured);

        var level = From("a level end", 10, 20, 30, 31, 31, 31, 31, 31);
        var rising = From("a rise to the end", 10, 14, 18, 22, 26, 30, 34, 38);
        var edge = From("a fall just not negligible, 1.0526", 10, 20, 30, 30 * Equivalence.NegligibleFactor, 30, 30, 30, 30);
        var falling = From("a fall of 10%", 10, 20, 30, 31, 30, 29, 29, 28);
        Assert.InRange(level.Supported, 0, MaxWrong);
        Assert.InRange(rising.Supported, 0, 0);
        Assert.InRange(rising.Refuted, MinDecided, 1);
        Assert.InRange(edge.Refuted, 0, MaxWrong);
        Assert.InRange(falling.Refuted, 0, MaxWrong);
        Assert.InRange(falling.Supported, MinDecided, 1);
    }

    [Fact]
    public void Evaluate_LatencyUnder_SaysTheLatencyAndItsInterval()
    {
        var result = Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(8)]);

        Assert.Equal((FindingVerdict.Supported, 1.25), (result.Verdict, Math.Round(result.Effect!.Value, 3)));
        // A percentile is known to 1% at best, and five runs that resemble each other have 3.2 degrees of freedom: 3.06 x 1% / sqrt(5).
        Assert.Equal(1.25 * Math.Exp(0.01369), result.Interval95!.Value.High, 0.001);
        Assert.Matches(
            @"^99% of the operations took at most 8 ms \(95% interval 7\.8\d* to 8\.1\d*\): less than 10 ms\.$", result.Sentence);
        Assert.Equal("10 ms / 99th percentile of the latency", result.EffectOf);
        Assert.Equal("Of single indexed writes, or of point reads, 99% take less than 10 ms.", result.Claim);
        Assert.Empty(result.Notes);
        var slow = Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(8)], threshold: 5);
        Assert.Equal(FindingVerdict.Refuted, slow.Verdict);
        Assert.EndsWith(": more than 5 ms.", slow.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_LatencyUnderAtTheLimit_IsUndecided()
    {
        var result = Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(10)]);

        Assert.Equal((FindingVerdict.Inconclusive, "the 95% interval contains 10 ms"), (result.Verdict, result.Reason));
        Assert.EndsWith(": the noise hides whether that is less than 10 ms.", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_LatencyUnderWithoutThePercentile_IsNotTested() => Assert.Equal(
        "the 99th percentile of the latency was not measured in every run",
        Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(8) with { P99LatencyMs = null }]).Reason);

    /// <summary>A load of steps with rates is an open loop, even if the client's settings have no rate.</summary>
    [Fact]
    public void Evaluate_LatencyUnderInStepsOfRates_LeavesNothingOut() => Assert.DoesNotContain(
        Evaluation.From(
            FindingKind.LatencyUnder,
            [
                OneVariant.WithP99(8) with
                {
                    Spec = new() { Workload = new() { Steps = [new() { Rate = 100, Duration = TimeSpan.FromSeconds(20) }] } },
                },
            ]).Notes,
        note => note.Contains("closed loop", StringComparison.Ordinal));

    [Fact]
    public void Evaluate_LatencyUnderInAClosedLoop_SaysWhatItLeavesOut() => Assert.Contains(
        "In an open loop (client.rate) it does.",
        Assert.Single(Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(8) with { Spec = new() }]).Notes),
        StringComparison.Ordinal);

    /// <summary>
    /// With a round trip of 1.3 ms and a median of 4 ms the simulated account responds to 99% of the requests within 10.33 ms.
    /// </summary>
    [Fact]
    public void Evaluate_LatencyUnderOnTheSimulatedAccount_IsAssumed()
    {
        var result = Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(10.33) with { Simulated = true }]);

        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed), (result.Verdict, result.Origin));
        Assert.Equal(10 / 10.3297, result.Predicted!.Value, 4);
        Assert.StartsWith(
            "Follows from roundTripMs = 1.3, writeMedianMs = 4 and the spread of service times: the parameters alone predict 0.968 x, "
                + "measured 0.968 x",
            result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_LatencyUnderWithThrottledAttempts_IsNotTested() => Assert.Equal(
        "2.0% of the attempts were throttled, so the slowest 1% waited for request units",
        Evaluation.From(FindingKind.LatencyUnder, [OneVariant.WithP99(8) with { Attempts = 1 / 0.98 }]).Reason);

    [Theory]
    [InlineData(FindingKind.LatencyUnder)]
    [InlineData(FindingKind.FallsAfterPeak)]
    public void Evaluate_MachineAtItsLimit_IsNotTested(FindingKind kind)
    {
        var truth = kind == FindingKind.LatencyUnder ? OneVariant.WithP99(8) : OneVariant.WithSteps(10, 20, 15);
        Assert.Equal(
            "the shared machine bound the runs of a", Evaluation.From(kind, [truth with { BoundBy = BoundBy.Machine }]).Reason);
        Assert.Equal(FindingVerdict.Supported, Evaluation.From(kind, [truth]).Verdict);
        Assert.Equal(
            "a single run of a variant has no interval; repeat the experiment", Evaluation.From(kind, [truth], repeats: 1).Reason);
    }

    [Fact]
    public void Evaluate_FallsAfterPeak_SaysWhichStepDidMost()
    {
        var result = Evaluation.From(FindingKind.FallsAfterPeak, [OneVariant.WithSteps(10, 30, 20, 15) with { Simulated = true }]);

        Assert.Equal((FindingVerdict.Supported, FindingOrigin.Emergent), (result.Verdict, result.Origin));
        Assert.Matches(
            @"^Step 2 of 4 did 2(\.0\d*)? times the operations per second of the last .*: it falls after its peak\. "
                + @"The parameters alone \(.*\) predict .* x; measured is .* times that", result.Sentence);
    }

    [Fact]
    public void Evaluate_StepThatWasNotReached_IsNotTested()
    {
        var measured = Truth.MeasureExactly([OneVariant.WithSteps(10, 30, 20)]);
        var ended = measured[0].With(run => run with { StepRates = [10, 30, null] });

        Assert.Equal(
            "step 3 of 3 was not measured in every run",
            FindingTests.Evaluate(new FindingSpec { Kind = FindingKind.FallsAfterPeak, Variants = ["a"] }, [ended]).Reason);
    }
}
