namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>Table storage against Cosmos DB: more rows per second, and less money for them.</summary>
public sealed class CheaperTablesTests
{
    private static readonly (RunSpec Cosmos, RunSpec Tables) Specs = Pairs.SpecsOf(FindingKind.CheaperTables);

    [Theory]
    [InlineData(2_000, 1, FindingVerdict.Supported, "Table storage took 2 times the rows per second of Cosmos DB")]
    [InlineData(500, 1, FindingVerdict.Refuted, ": worse, not better.")]
    [InlineData(2_000, 4, FindingVerdict.Refuted, "; but Table storage charges no less for them.")]
    [InlineData(2_000, 2, FindingVerdict.Refuted, "; but Table storage charges no less for them.")]
    public void Evaluate_BothHalves_MustHold(double tablesRate, double tablesCharge, FindingVerdict expected, string sentence)
    {
        var result = Evaluate(tablesRate, tablesCharge);

        Assert.Equal(expected, result.Verdict);
        Assert.Contains(sentence, result.Sentence, StringComparison.Ordinal);
        Assert.Equal(tablesRate > 1_000, result.Notes.Any(note => note.StartsWith(
            $"A million rows cost {2 / tablesCharge:0.##} times as much in Cosmos DB as in Table storage", StringComparison.Ordinal)));
    }

    [Fact]
    public void Evaluate_CosmosThatDidNotUseItsRequestUnits_IsUndecidedBecauseFewerWouldCostLess()
    {
        var result = Evaluate(2_000, 1, figures => figures with { BoundBy = BoundBy.Latency });
        Assert.Equal(FindingVerdict.Inconclusive, result.Verdict);
        Assert.EndsWith(", but cosmos did not use all its RU/s, and fewer would have cost less.", result.Sentence,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_ChargesThatWhatARunCarriesOverCouldMake_AreUndecided()
    {
        var result = Evaluate(2_000, 1.96);
        Assert.Equal(FindingVerdict.Inconclusive, result.Verdict);
        Assert.EndsWith(", but a run that changes the next one could make as small a difference of the charges.", result.Sentence,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_ChargesThatScatter_AreUndecided()
    {
        var run = 0;
        var result = Evaluate(2_000, 2, figures => figures with { StorePerMillion = 1 + (run++ % 3) });
        Assert.Equal(FindingVerdict.Inconclusive, result.Verdict);
        Assert.EndsWith(", but the noise hides which of them charges less.", result.Sentence, StringComparison.Ordinal);
        Assert.DoesNotContain(".,", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_WithoutPrices_IsNotTested()
    {
        var result = Evaluate(2_000, 1, figures => figures with { StorePerMillion = null });

        Assert.Equal(FindingVerdict.NotTested, result.Verdict);
        Assert.Contains("prices above 0", result.Reason!, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_Emulator_IsNotTested() => Assert.StartsWith(
        "the table account is an emulator", Evaluate(2_000, 1, figures => figures with { Emulated = true }).Reason!,
        StringComparison.Ordinal);

    [Fact]
    public void Check_OtherOrder_IsAnError() => Assert.Contains(
        "the other to Cosmos DB (kind batch)",
        Assert.Single(FindingRules.Check(
            [new FindingSpec { Kind = FindingKind.CheaperTables, Variants = ["a", "b"] }],
            new Dictionary<string, RunSpec> { ["a"] = Specs.Tables, ["b"] = Specs.Cosmos })).Message,
        StringComparison.Ordinal);

    private static FindingResult Evaluate(double tablesRate, double tablesCharge, Func<RunFigures, RunFigures>? change = null)
    {
        var measured = Truth.MeasureExactly(
        [
            new Truth { Name = "cosmos", Spec = Specs.Cosmos, Rate = 1_000, StorePerMillion = 2, BoundBy = BoundBy.RequestUnits },
            new Truth { Name = "tables", Spec = Specs.Tables, Rate = tablesRate, StorePerMillion = tablesCharge },
        ]);
        return FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.CheaperTables, Variants = ["cosmos", "tables"] },
            [.. measured.Select(variant => variant.With(change ?? (figures => figures)))]);
    }
}
