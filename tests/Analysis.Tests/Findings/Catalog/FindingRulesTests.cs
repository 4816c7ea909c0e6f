namespace ScaleOut.Tests.Analysis.Findings.Catalog;

public sealed class FindingRulesTests
{
    private static readonly Dictionary<string, RunSpec> Variants = new()
    {
        ["gateway"] = new() { Client = new() { ConnectionMode = ConnectionMode.Gateway } },
        ["direct"] = new(),
        ["bulk"] = new() { Workload = new() { Kind = WorkloadKind.Bulk } },
    };

    private static IEnumerable<string> Errors(params FindingSpec[] findings) =>
        FindingRules.Check(findings, Variants).Select(error => error.ToString());

    [Fact]
    public void Check_FittingFindings_HaveNoErrors() => Assert.Empty(Errors(
        new() { Kind = FindingKind.DirectBeatsGateway, Variants = ["gateway", "direct"], Threshold = 1.5 },
        new() { Id = "again", Kind = FindingKind.DirectBeatsGateway, Variants = ["gateway", "direct"] },
        new() { Kind = FindingKind.Bulk, Variants = ["direct", "bulk"] }));

    [Fact]
    public void Check_ManyErrors_NamesAllOfThem() => Assert.Equal(
    [
        "findings[0].variants: the first variant must use Gateway, the second Direct, with all workers",
        "findings[1].id: 'directBeatsGateway' is the id of another finding; findings of one kind need ids of their own",
        "findings[1].threshold: 0.5 is out of range 1..1000",
        "findings[1].variants: has 3 items; directBeatsGateway compares two variants: Gateway, then Direct",
        "findings[1].variants[0]: no variant has the name 'gatway'; did you mean 'gateway'?",
        "findings[1].variants[2]: 'direct' is listed twice",
        "findings[2].threshold: 1 is out of range: above 1, at most 2",
        "findings[2].variants: has 0 items; clientConsistency compares two variants: one consistency of the client, then another one",
        "findings[3].variants: the variants must ascend in the container's throughput",
    ],
    Errors(
        new() { Kind = FindingKind.DirectBeatsGateway, Variants = ["direct", "gateway"] },
        new() { Kind = FindingKind.DirectBeatsGateway, Variants = ["gatway", "direct", "direct"], Threshold = 0.5 },
        new() { Kind = FindingKind.ClientConsistency, Threshold = 1 },
        new() { Kind = FindingKind.MoreRequestUnits, Variants = ["direct", "bulk"] }));

    [Theory]
    [InlineData(FindingKind.IndexingMode, "the variants have the same indexing mode")]
    [InlineData(FindingKind.ClientConsistency, "the variants ask for the same consistency")]
    [InlineData(FindingKind.MaxConnections, "the variants have the same limit of connections")]
    [InlineData(FindingKind.InstancesLikeCores, "the second variant must have more workers than the first")]
    [InlineData(FindingKind.Batching, "the second variant must use larger batches than the first")]
    [InlineData(
        FindingKind.ParallelQuery,
        "both variants must run a query over all partitions, the first with a maxConcurrency of at most 1, the second with more or -1")]
    [InlineData(
        FindingKind.IndexingThrottles,
        "both variants must write batches, the first with indexing Lazy or None, the second with Consistent")]
    [InlineData(FindingKind.FittingPartitionKey, "both variants must run a query")]
    [InlineData(FindingKind.QueryCostGrows, "all variants must run a query")]
    [InlineData(
        FindingKind.DeletesLikeWrites,
        "the first variant must write single documents, the second delete them, both in bulk or neither")]
    [InlineData(
        FindingKind.ExcludedPaths,
        "both variants must write to containers of their own with consistent indexing, the second with fewer values in the index")]
    [InlineData(FindingKind.SingleUnitPredictsFleet, "the first variant must have 1 worker, the others ascending numbers of them")]
    public void Check_VariantsThatCannotTestIt_SaysWhy(FindingKind kind, string error) =>
        Assert.Equal([$"findings[0].variants: {error}"], Errors(new FindingSpec { Kind = kind, Variants = ["direct", "gateway"] }));

    [Theory]
    [InlineData(FindingKind.LatencyUnder, "bulk", "the variant must insert, upsert or read single documents, and index what it writes")]
    [InlineData(FindingKind.FallsAfterPeak, "direct", "the variant must have a load of 3 or more steps")]
    public void Check_VariantThatCannotTestIt_SaysWhy(FindingKind kind, string variant, string error) =>
        Assert.Equal([$"findings[0].variants: {error}"], Errors(new FindingSpec { Kind = kind, Variants = [variant] }));

    [Fact]
    public void Check_TwoVariantsForAClaimAboutOne_SaysSo() => Assert.Equal(
        ["findings[0].variants: has 2 items; fallsAfterPeak takes one variant: a step load"],
        Errors(new FindingSpec { Kind = FindingKind.FallsAfterPeak, Variants = ["direct", "gateway"] }));

    [Fact]
    public void Read_SpecsFields_GivesTheSpecOrEveryError()
    {
        var context = new ReadingContext();
        var spec = Read(
            """
            {
              "id": "direct-2", "kind": "directBeatsGateway", "variants": ["a", "b"], "threshold": 1.5,
              "published": { "value": 1.54, "source": "a table" }
            }
            """,
            context);
        Assert.Empty(context.Errors);
        Assert.Equal(("direct-2", FindingKind.DirectBeatsGateway, 1.5), (spec.Id, spec.Kind, spec.Threshold));
        Assert.Equal(["a", "b"], spec.Variants);
        Assert.Equal(new PublishedValue { Value = 1.54, Source = "a table" }, spec.Published);

        context = new ReadingContext();
        Read(
            """
            {
              "id": "-", "kind": "directBeatsGatway", "variants": ["a", "a"], "threshold": 0, "published": { "value": 0 }, "claim": 1
            }
            """,
            context);
        Assert.Equal(
            [
                "findings[0].id", "findings[0].kind", "findings[0].variants[1]", "findings[0].threshold", "findings[0].published.value",
                "findings[0].published.source", "findings[0].claim",
            ],
            context.Errors.Select(error => error.Path));
        Assert.EndsWith("did you mean 'directBeatsGateway'?", context.Errors[1].Message, StringComparison.Ordinal);
    }

    private static FindingSpec Read(string json, ReadingContext context) =>
        new SpecReading(context).Read<FindingSpec>(JsonSerializer.SerializeToElement(JsonNode.Parse(json)), "findings[0]");
}
