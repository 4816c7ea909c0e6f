namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>Table storage against Cosmos DB: slower batches, and none throttled.</summary>
public sealed class TableStorageTests
{
    private static readonly (RunSpec Tables, RunSpec Cosmos) Specs = Pairs.SpecsOf(FindingKind.TableStorage);

    [Fact]
    public void Evaluate_SlowerAndNeverThrottled_IsSupportedAndNotesBothSides()
    {
        var result = Evaluate(tablesMs: 50, cosmosMs: 20);

        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Equal(2.5, result.Effect!.Value, 2);
        Assert.Equal("96th percentile of a batch's latency, Table storage / Cosmos DB", result.EffectOf);
        Assert.Contains(
            result.Notes,
            note => note == "tables: 1,000 rows/s, 1,725 KB/s, p96 of a batch 100 ms, 0% of the attempts throttled.");
        Assert.Contains(result.Notes, note => note.StartsWith("cosmos: ", StringComparison.Ordinal));
        Assert.DoesNotContain(result.Notes, note => note.StartsWith("Besides what the claim is about", StringComparison.Ordinal));
    }

    [Fact]
    public void Evaluate_SimulatedCosmos_HasNoVerdictBecauseItsLatencyIsGiven()
    {
        var result = Evaluate(tablesMs: 50, cosmosMs: 20, cosmos: figures => figures with { Simulated = true });

        Assert.Equal((FindingVerdict.Assumed, FindingOrigin.Assumed), (result.Verdict, result.Origin));
        Assert.Equal(2.5, result.Effect!.Value, 2);
        Assert.Contains(result.Notes, note => note.StartsWith("Cosmos DB is simulated here", StringComparison.Ordinal));
    }

    [Fact]
    public void Evaluate_FasterThanCosmos_IsRefuted() => Assert.Equal(FindingVerdict.Refuted, Evaluate(tablesMs: 10, cosmosMs: 20).Verdict);

    [Fact]
    public void Evaluate_FasterThanACosmosThatRequestUnitsHeldBack_IsUndecided()
    {
        var result = Evaluate(tablesMs: 10, cosmosMs: 20, cosmos: figures => figures with { BoundBy = BoundBy.RequestUnits });
        Assert.Equal((FindingVerdict.Inconclusive, "cosmos was held back by request units"), (result.Verdict, result.Reason));
    }

    [Fact]
    public void Evaluate_SlowerButThrottled_IsRefutedByTheThrottling()
    {
        var result = Evaluate(tablesMs: 50, cosmosMs: 20, tables: figures => figures with { ThrottledShare = 0.02 });
        Assert.Equal((FindingVerdict.Refuted, null), (result.Verdict, result.Reason));
        Assert.EndsWith(
            "; but Table storage throttled up to 2.0% of the attempts of a run.", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_Emulator_IsNotTested()
    {
        var result = Evaluate(tablesMs: 50, cosmosMs: 20, tables: figures => figures with { Emulated = true });
        Assert.Equal(
            (FindingVerdict.NotTested, "the table account is an emulator, whose speed says nothing of Azure Table storage"),
            (result.Verdict, result.Reason));
    }

    [Fact]
    public void Check_OtherVariantsOrBatchSizes_AreErrors()
    {
        var finding = new FindingSpec { Kind = FindingKind.TableStorage, Variants = ["tables", "cosmos"] };
        var small = Specs.Cosmos with { Workload = Specs.Cosmos.Workload with { BatchSize = 10 } };

        Assert.Empty(FindingRules.Check([finding], Variants(Specs.Tables, Specs.Cosmos)));
        Assert.Contains(
            "must write batches to Table storage",
            Assert.Single(FindingRules.Check([finding], Variants(Specs.Cosmos, Specs.Tables))).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "the same batchSize", Assert.Single(FindingRules.Check([finding], Variants(Specs.Tables, small))).Message,
            StringComparison.Ordinal);
    }

    private static Dictionary<string, RunSpec> Variants(RunSpec tables, RunSpec cosmos) =>
        new() { ["tables"] = tables, ["cosmos"] = cosmos };

    private static FindingResult Evaluate(
        double tablesMs, double cosmosMs, Func<RunFigures, RunFigures>? tables = null, Func<RunFigures, RunFigures>? cosmos = null)
    {
        var measured = Truth.Measure(
            [
                new Truth { Name = "tables", Spec = Specs.Tables, Rate = 1_000, LatencyMs = tablesMs, Simulated = false },
                new Truth
                {
                    Name = "cosmos",
                    Spec = Specs.Cosmos with { Container = new ContainerSpec { Throughput = 10_000, Indexing = IndexingMode.Lazy } },
                    Rate = 2_000,
                    LatencyMs = cosmosMs,
                },
            ],
            repeats: 5,
            new Noise(new Random(1), 0.0003, variants: 0));
        Func<RunFigures, RunFigures>[] changes = [tables ?? (figures => figures), cosmos ?? (figures => figures)];
        return FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.TableStorage, Variants = ["tables", "cosmos"] },
            [.. measured.Select((variant, i) => variant.With(
                figures => changes[i](figures with { KilobytesPerSecond = 1.725 * figures.Rate, ThrottledShare = i == 0 ? 0 : 0.3 })))]);
    }
}
