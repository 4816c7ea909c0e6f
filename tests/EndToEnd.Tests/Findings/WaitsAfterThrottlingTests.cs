using ScaleOut.Analysis.Findings.Predictions;

namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>The share of the operations' time that is spent waiting after 429s.</summary>
public sealed class WaitsAfterThrottlingTests
{
    [Theory]
    [InlineData(0.6, FindingVerdict.Supported, ": more than 0.5.")]
    [InlineData(0.4, FindingVerdict.Refuted, ": less than 0.5.")]
    [InlineData(0.5, FindingVerdict.Inconclusive, ": the noise hides whether that is more than 0.5.")]
    public void Evaluate_ShareOfTheTime_IsHeldAgainstHalfOfIt(double share, FindingVerdict verdict, string ending)
    {
        var result = Evaluate(OneVariant.WithWaits(share));

        Assert.Equal(verdict, result.Verdict);
        Assert.Equal(2 * share, result.Effect!.Value, 2);
        Assert.Equal("share of the operations' time that they waited after 429s / 0.5", result.EffectOf);
        Assert.Matches(@"^Waits after 429s took 0\.[3456]\d* of the operations' time \(95% interval 0\.\d+ to 0\.\d+\)", result.Sentence);
        Assert.EndsWith(ending, result.Sentence, StringComparison.Ordinal);
        Assert.Equal(verdict == FindingVerdict.Inconclusive ? "the 95% interval contains 0.5" : null, result.Reason);
    }

    [Fact]
    public void Evaluate_OtherShare_DecidesByIt()
    {
        var result = Evaluation.From(FindingKind.WaitsAfterThrottling, [OneVariant.WithWaits(0.6)], threshold: 0.8);
        Assert.Equal(FindingVerdict.Refuted, result.Verdict);
        Assert.Equal("Under throttling operations spend more than 80% of their time waiting after 429s.", result.Claim);
    }

    [Fact]
    public void Evaluate_NothingToSayOfWaits_IsNotTested()
    {
        Assert.Equal(
            "the waits after 429s were not measured in every run",
            Evaluate(OneVariant.WithWaits(0.6) with { WaitShare = null }).Reason);
        Assert.Equal(
            "not every run was throttled, so the load did not exceed the RU/s", Evaluate(OneVariant.WithWaits(0)).Reason);
        Assert.Equal(
            "a single run of a variant has no interval; repeat the experiment",
            Evaluation.From(FindingKind.WaitsAfterThrottling, [OneVariant.WithWaits(0.6)], repeats: 1).Reason);
    }

    /// <summary>A machine at its limit lengthens the time that is not waiting.</summary>
    [Fact]
    public void Evaluate_SaturatedMachine_IsNotTested() => Assert.Equal(
        "the shared machine bound the runs of a",
        Evaluate(OneVariant.WithWaits(0.6) with { MachineShare = 0.97, Simulated = true }).Reason);

    /// <summary>With 400 operations in flight for 400 RU/s, nearly all of their time is waiting.</summary>
    [Theory]
    [InlineData(1, FindingOrigin.Assumed)]
    [InlineData(0.8, FindingOrigin.Emergent)]
    public void Evaluate_SimulatedClosedLoop_FollowsFromDocumentsInFlight(double shareOfIt, FindingOrigin origin)
    {
        var spec = new RunSpec { Client = new() { Concurrency = 100 }, Container = new() { Throughput = 400 } };
        var ownMs = PredictedLatency.MeanMs(spec, spec.SettingsOf(0));
        var operationMs = 1000.0 * 100 * spec.Workers * PredictedRate.ChargeOf(spec) / 400;
        var share = 1 - (ownMs / operationMs);

        var result = Evaluate(
            OneVariant.WithWaits(share * shareOfIt) with { Spec = spec, Simulated = true });

        Assert.Equal((FindingVerdict.Assumed, origin), (result.Verdict, result.Origin));
        Assert.Equal(share / 0.5, result.Predicted!.Value, 6);
        Assert.Equal(shareOfIt, result.MeasuredOverPredicted!.Value, 2);
    }

    [Fact]
    public void Evaluate_SimulatedOpenLoop_HasNoFigure()
    {
        var result = Evaluate(OneVariant.WithWaits(0.6) with
        {
            Simulated = true,
            Spec = new() { Client = new() { Rate = 10_000 }, Container = new() { Throughput = 400 } },
        });
        Assert.Equal((FindingVerdict.Assumed, null), (result.Verdict, result.Predicted));
    }

    [Theory]
    [InlineData(0.5, null)]
    [InlineData(1, "1 is out of range: above 0, below 1")]
    public void Check_Threshold_IsAShare(double threshold, string? error) =>
        Assert.Equal(error, Errors(new RunSpec(), threshold).SingleOrDefault()?.Message);

    [Fact]
    public void Check_VariantThatIsNeverThrottled_IsAnError()
    {
        Assert.Equal(
            "the variant must not keep to RU/s of its own (requestUnitRate, maxRequestUnitShare)",
            Assert.Single(Errors(new RunSpec { Workload = new() { RequestUnitRate = 100 } })).Message);
        Assert.Equal(
            "the variant must send its operations to Cosmos DB",
            Assert.Single(Errors(new RunSpec { Workload = new() { Kind = WorkloadKind.TableBatch } })).Message);
    }

    private static IReadOnlyList<ValidationError> Errors(RunSpec spec, double? threshold = null) => FindingRules.Check(
        [new FindingSpec { Kind = FindingKind.WaitsAfterThrottling, Variants = ["a"], Threshold = threshold }],
        new Dictionary<string, RunSpec> { ["a"] = spec });

    private static FindingResult Evaluate(Truth truth) => Evaluation.From(FindingKind.WaitsAfterThrottling, [truth]);
}
