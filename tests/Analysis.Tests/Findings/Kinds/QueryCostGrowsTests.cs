namespace ScaleOut.Tests.Analysis.Findings.Kinds;

/// <summary>One query on a growing number of documents.</summary>
public sealed class QueryCostGrowsTests
{
    private static readonly QuerySpec Query = new() { Text = "SELECT * FROM c WHERE c.kind = 7" };

    [Fact]
    public void Evaluate_EachLevelCostsMore_IsSupportedAndNotesEachLevel()
    {
        var result = Evaluate(OnDocuments(1_000, 3), OnDocuments(10_000, 5), OnDocuments(100_000, 9));

        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Equal(3, result.Effect!.Value, 2);
        Assert.Equal("RU per operation, d100000 / d1000", result.EffectOf);
        Assert.StartsWith(
            "On 100,000 documents the query cost 3 times the RU of the same query on 1,000 (95% interval ", result.Sentence,
            StringComparison.Ordinal);
        Assert.Equal(
            ["d1000: 3 RU per query on 1,000 documents.", "d10000: 5 RU per query on 10,000 documents."], result.Notes.Take(2));
        Assert.DoesNotContain(result.Notes, note => note.StartsWith("Besides what the claim is about", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(3, ": no growth that matters.")]
    [InlineData(2.5, "; from d1000 to d10000 they fell.")]
    public void Evaluate_CostsNoMore_IsRefuted(double charge, string ending)
    {
        var result = Evaluate(OnDocuments(1_000, 3), OnDocuments(10_000, charge));
        Assert.Equal((FindingVerdict.Refuted, null), (result.Verdict, result.Reason));
        Assert.EndsWith(ending, result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_FallOnTheWayUp_IsRefutedByIt()
    {
        var result = Evaluate(OnDocuments(1_000, 3), OnDocuments(10_000, 9), OnDocuments(100_000, 5));
        Assert.Equal(FindingVerdict.Refuted, result.Verdict);
        Assert.EndsWith("; from d10000 to d100000 they fell.", result.Sentence, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1.4, FindingVerdict.Refuted)]
    [InlineData(1.5, FindingVerdict.Inconclusive)]
    [InlineData(1.6, FindingVerdict.Supported)]
    public void Evaluate_ClaimOfAFactor_IsHeldAgainstIt(double growth, FindingVerdict verdict)
    {
        var result = Evaluation.From(
            FindingKind.QueryCostGrows, [OnDocuments(1_000, 3), OnDocuments(10_000, 3 * growth)], threshold: 1.5);
        Assert.Equal(verdict, result.Verdict);
    }

    [Fact]
    public void Evaluate_SimulatedAccount_FollowsFromWhatTheQueryGivesBack()
    {
        var result = Evaluate(Simulated(1_000, items: 10), Simulated(10_000, items: 1_000));

        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed), (result.Verdict, result.Origin));
        Assert.True(result.Predicted > 1.2, $"{result.Predicted}");
        Assert.Equal(1, result.MeasuredOverPredicted!.Value, 0.01);
        Assert.Contains(": a query costs ", result.FollowsFrom, StringComparison.Ordinal);
    }

    /// <summary>A report has no figure for the documents that a scan loads, but the simulated account charges them.</summary>
    [Fact]
    public void Evaluate_SimulatedScan_FollowsFromTheChargesWithoutAFigure()
    {
        var result = Evaluate(
            Simulated(1_000, items: 1) with { RequestUnits = 30 }, Simulated(10_000, items: 1) with { RequestUnits = 300 });
        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed, null), (result.Verdict, result.Origin, result.Predicted));
        Assert.DoesNotContain("a query costs", result.FollowsFrom, StringComparison.Ordinal);
        Assert.Contains("the parameters alone give no figure, measured 10 x", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Check_OtherQueriesOrOrder_AreErrors()
    {
        var (few, many) = (OnDocuments(1_000, 3).Spec, OnDocuments(10_000, 3).Spec);
        var other = many with { Workload = many.Workload with { Query = Query with { PageSize = 10 } } };

        Assert.Empty(Errors(few, many));
        Assert.Equal("the variants must ascend in stored documents (preload)", Assert.Single(Errors(many, few)).Message);
        Assert.Equal("all variants must run the same query", Assert.Single(Errors(few, other)).Message);

        static IReadOnlyList<ValidationError> Errors(RunSpec first, RunSpec second) => FindingRules.Check(
            [new FindingSpec { Kind = FindingKind.QueryCostGrows, Variants = ["first", "second"] }],
            new Dictionary<string, RunSpec> { ["first"] = first, ["second"] = second });
    }

    private static FindingResult Evaluate(params Truth[] truths) => Evaluation.From(FindingKind.QueryCostGrows, truths);

    private static Truth OnDocuments(long stored, double charge) => new()
    {
        Name = string.Create(CultureInfo.InvariantCulture, $"d{stored}"),
        // Equal queries may be different objects.
        Spec = new() { Workload = new() { Kind = WorkloadKind.Query, Query = Query with { Parameters = [] }, Preload = stored } },
        Rate = 100,
        RequestUnits = charge,
    };

    private static Truth Simulated(long stored, int items)
    {
        var truth = OnDocuments(stored, 1) with { Simulated = true, Items = items };
        return truth with { RequestUnits = RunEstimate.QueryChargeOf(truth.Spec, items) };
    }
}
