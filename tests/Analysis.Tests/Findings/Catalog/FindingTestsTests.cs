namespace ScaleOut.Tests.Analysis.Findings.Catalog;

public sealed partial class FindingTestsTests
{
    public static TheoryData<FindingKind> Kinds => [.. Enum.GetValues<FindingKind>()];

    public static TheoryData<FindingKind> PairKinds =>
    [
        FindingKind.DirectBeatsGateway, FindingKind.InstancesLikeCores, FindingKind.MoreCores, FindingKind.IndexingMode,
        FindingKind.ClientConsistency,
        FindingKind.MaxConnections, FindingKind.Batching, FindingKind.Bulk, FindingKind.ParallelQuery, FindingKind.FittingPartitionKey,
        FindingKind.LowLatencyNetwork,
        FindingKind.IndexingThrottles,
        FindingKind.DeletesLikeWrites,
        FindingKind.ExcludedPaths,
        FindingKind.QueryCostGrows,
        FindingKind.Faster,
    ];

    /// <summary>Variants may differ in anything. An undecided claim says how many repeats would decide it.</summary>
    [Theory]
    [InlineData(1.5, 1.2, FindingVerdict.Supported, @"^fast did 1\.5\d? times the operations per second of base \(95% interval 1\.\d+ to ")]
    [InlineData(1.1, 1.2, FindingVerdict.Refuted, @": less than the factor of 1\.2 that is claimed\.$")]
    [InlineData(1.0, 0, FindingVerdict.NoDifference, @": no difference that matters\.$")]
    public void Evaluate_Faster_JudgesTheFactorWhateverDiffers(double ratio, double by, FindingVerdict verdict, string sentence)
    {
        var truths = Pairs.From(FindingKind.Faster, ratio);
        Truth[] renamed =
        [
            truths[0] with { Name = "base" },
            truths[1] with { Name = "fast", Spec = truths[1].Spec with { Workers = 8, Container = new() { ExcludedPaths = ["/a/?"] } } },
        ];
        var result = FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.Faster, Variants = ["base", "fast"], Threshold = by > 0 ? by : null },
            Truth.Measure(renamed, 5, new Noise(new Random(1), 0, variants: 0)));

        Assert.Equal(verdict, result.Verdict);
        Assert.Matches(sentence, result.Sentence);
        Assert.Empty(result.Notes);
    }

    [Fact]
    public void Evaluate_FasterWithinTheNoise_SaysHowManyRepeatsDecide()
    {
        var result = FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.Faster, Variants = ["a", "b"], Threshold = 1.1 },
            Truth.Measure(Pairs.From(FindingKind.Faster, 1.2), 3, new Noise(new Random(3), 0.1, variants: 0)));

        Assert.Equal(FindingVerdict.Inconclusive, result.Verdict);
        Assert.Matches(@"the noise hides whether that is more than 1\.10?; .*repeats", result.Sentence);
        Assert.NotNull(result.Interval95);
    }

    [Fact]
    public void Evaluate_PublishedValue_StandsBesideTheEffectAndDecidesNothing()
    {
        var truths = Pairs.From(FindingKind.DirectBeatsGateway, 1.5);
        var published = new PublishedValue { Value = 927 / 602.0, Source = "insert-1m.csv, tests 1 and 2" };
        var result = FindingTests.Evaluate(
            new FindingSpec { Id = "direct", Kind = FindingKind.DirectBeatsGateway, Variants = ["a", "b"], Published = published },
            Truth.MeasureExactly(truths));

        Assert.Equal(("direct", FindingVerdict.Supported, published), (result.Id, result.Verdict, result.Published));
        Assert.Equal(1.5, result.Effect!.Value, 2);
        Assert.True(result.Interval95!.Value.Contains(result.Effect.Value) && result.Interval95.Value.High < 1.51);
        Assert.Equal("Direct writes more documents per second than Gateway.", result.Claim);
        Assert.Equal("documents per second, Direct / Gateway", result.EffectOf);
        Assert.Matches(
            @"^Direct wrote 1\.5\d? times the documents per second of Gateway \(95% interval 1\.\d+ to 1\.5\d?\)\.$", result.Sentence);
        Assert.Equal(FindingOrigin.Measured, result.Origin);
        Assert.Null(result.Reason);
        Assert.Empty(result.Notes);
    }

    [Theory]
    [MemberData(nameof(PairKinds))]
    public void Evaluate_SingleRepeat_IsNeverAVerdict(FindingKind kind)
    {
        var result = Evaluation.From(kind, Pairs.From(kind, 2), repeats: 1);
        Assert.Equal(FindingVerdict.Inconclusive, result.Verdict);
        Assert.Equal("a single run of a variant has no interval; repeat the experiment", result.Reason);
        Assert.NotNull(result.Effect);
        Assert.Null(result.Interval95);
    }

    [Theory]
    [MemberData(nameof(PairKinds))]
    public void Evaluate_NoUsableRun_IsNotTested(FindingKind kind)
    {
        var measured = Truth.MeasureExactly(Pairs.From(kind, 2));
        var broken = measured[1].With(figures => figures with { State = RunState.Incomplete });
        var result = FindingTests.Evaluate(new FindingSpec { Kind = kind, Variants = ["a", "b"] }, [measured[0], broken]);
        Assert.Equal((FindingVerdict.NotTested, "no run of b was complete with a rate"), (result.Verdict, result.Reason));
        Assert.Null(result.Effect);
        Assert.Contains("5 of 5 runs of b are left out: they are not complete.", result.Notes);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Evaluate_NoVariants_IsNotTestedWithTheReason(FindingKind kind)
    {
        var result = FindingTests.Evaluate(new FindingSpec { Kind = kind }, []);
        Assert.Equal(FindingVerdict.NotTested, result.Verdict);
        Assert.NotEmpty(result.Reason!);
        Assert.Equal($"Not tested: {result.Reason}.", result.Sentence);
        Assert.Equal(FindingCatalog.NameOf(kind), result.Id);
    }

    /// <summary>Whether a small gain is real does not matter, so the claim is a tie either way.</summary>
    [Theory]
    [InlineData(1.0)]
    [InlineData(1.02)]
    [InlineData(0.98)]
    public void Evaluate_DifferenceTooSmallToMatter_IsATieWithItsInterval(double ratio)
    {
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, ratio);
        Assert.Equal(FindingVerdict.NoDifference, result.Verdict);
        Assert.EndsWith("): no difference that matters.", result.Sentence, StringComparison.Ordinal);
        Assert.Contains("(90% interval ", result.Sentence, StringComparison.Ordinal);
        Assert.NotNull(result.Interval90);
        Assert.NotNull(result.RestsOn);
    }

    [Theory]
    [InlineData(0.8, ": worse, not better.", 0.0)]
    [InlineData(1.4, ": less than the factor of 1.5 that is claimed.", 1.5)]
    public void Evaluate_ClaimThatDoesNotHold_SaysHow(double ratio, string ending, double threshold)
    {
        // Equal rates, so that chance cannot show a gain.
        var truths = Pairs.From(FindingKind.Bulk, ratio);
        var result = FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.Bulk, Variants = ["a", "b"], Threshold = threshold > 0 ? threshold : null },
            Truth.Measure(truths, 5, new Noise(new Random(1), 0, variants: 0)));
        Assert.Equal(FindingVerdict.Refuted, result.Verdict);
        Assert.EndsWith(ending, result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_VariantsThatDifferInMore_SaysInWhat()
    {
        var result = Evaluation.OfPair(
            FindingKind.DirectBeatsGateway, 1.5, changed: truth => truth with
            {
                Spec = truth.Spec with { Workers = 8, Container = new() { ExcludedPaths = ["/a/?", "/b/?"] } },
            });
        Assert.Equal(
            [
                "Besides what the claim is about, the variants differ in container.excludedPaths and in workers (4, 8), so the effect may "
                    + "be something else's.",
            ],
            result.Notes);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void ClaimFor_EveryKind_IsASentence(FindingKind kind) =>
        Assert.Matches(Sentence(), FindingCatalog.TestOf(kind).ClaimFor(new FindingSpec { Kind = kind }));

    [Fact]
    public void Evaluate_EveryResult_SurvivesJson()
    {
        var result = Evaluation.From(FindingKind.ConcurrencyPeak, Ladder.OfConcurrency((1, 100), (10, 200), (20, 150)));
        var json = JsonSerializer.Serialize(result, ScaleOutJson.Compact);
        Assert.Contains("\"kind\":\"concurrencyPeak\"", json, StringComparison.Ordinal);
        Assert.Contains("\"verdict\":\"supported\"", json, StringComparison.Ordinal);
        Assert.Equal(
            json, JsonSerializer.Serialize(JsonSerializer.Deserialize<FindingResult>(json, ScaleOutJson.Compact), ScaleOutJson.Compact));
    }

    [GeneratedRegex("^[A-Z].*\\.$")]
    private static partial Regex Sentence();
}
