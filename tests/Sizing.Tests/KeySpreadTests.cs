namespace ScaleOut.Tests.Sizing;

/// <summary>How keys spread over partitions: hierarchical ones that outgrow a partition, and the same keys by other names.</summary>
public sealed class KeySpreadTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>
    /// Four tenants with 40, 20, 20 and 20% of 1,000 GB fill 8, 4, 4 and 4 partitions of 50 GB, each with 5% of the writes. Of a key of one
    /// level all writes of a tenant stay on one partition.
    /// </summary>
    [Fact]
    public void Storing_FirstLevelsAbove50Gigabytes_AreOnSeveralPartitions()
    {
        var spread = KeySpread.From(Tenants("{{pick:big,big,t3,t4,t5}}", "/tenant", "/user"), cancellationToken: Cancellation);
        var stored = spread.Storing(1_000);
        Assert.InRange(stored.PartitionsFor(1_000), 20, 24);
        var partitions = stored.PartitionsFor(1_000);
        Assert.InRange(stored.BusiestPartition(partitions, default), 0.99 / partitions, 0.0501);
        Assert.InRange(spread.BusiestPartition(partitions, default), 0.39, 0.81);
        Assert.InRange(stored.Busiest!.Share, 0.045, 0.0501);

        var one = KeySpread.From(Tenants("{{pick:big,big,t3,t4,t5}}", "/tenant"), cancellationToken: Cancellation);
        Assert.Equal(20, one.PartitionsFor(1_000));
        Assert.InRange(one.Storing(1_000).BusiestPartition(20, default), 0.39, 0.81);
    }

    /// <summary>Small tenants share partitions, none of which has more than 50 GB.</summary>
    [Fact]
    public void Storing_ManyTenants_FillNoPartitionBeyond50Gigabytes()
    {
        var spread = KeySpread.From(Tenants("t-{{zipf:1:50:1.2}}", "/tenant", "/user"), cancellationToken: Cancellation).Storing(7_000);
        var weights = spread.WeightsFor(spread.PartitionsFor(7_000))!;
        Assert.Equal(1, weights.Sum(), 6);
        Assert.InRange(weights.Max() * 7_000, 45, 50.01);
        // Twice the partitions have about half each.
        Assert.InRange(spread.WeightsFor(2 * weights.Count)!.Max() * 7_000, 22, 30);
    }

    /// <summary>A tenant has a third of the writes. Once it has split, the rate takes little more than it uses.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_HierarchicalKeyOnceGrown_TakesLittleMoreThanTheRateUses()
    {
        var basis = FleetBasis.From(Tenants("t-{{zipf:1:50:1.2}}", "/tenant", "/user"), cpuMs: 0.25, overheadMs: null);
        var growth = FleetSearch.Find(basis, new SizeQuestion(1_000, Condition(null), Prices)
        {
            Retention = TimeSpan.FromDays(30),
        }, Token).Growth!;
        var used = 1_000 * basis.ChargePerDocument;
        Assert.True(growth.Splits);
        Assert.InRange(growth.Fleet!.Settings.Throughput, used, 2.2 * used);
    }

    /// <summary>A prefix changes where the hash of each key is, but not its share: the row equals the question with that prefix.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_OtherNamesOfTheKeys_EqualTheQuestionWithThatPrefix()
    {
        SizeResult Find(string prefix) => FleetSearch.Find(
            FleetBasis.From(Tenants($"{prefix}t-{{{{zipf:1:50:1.2}}}}", "/tenant"), cpuMs: 0.25, overheadMs: null) with
            {
                ChargePerDocument = 7,
                BytesPerDocument = 300,
            },
            new SizeQuestion(1_500, Condition(null), Prices) { Retention = TimeSpan.FromMinutes(1) }, Token);
        var result = Find("");
        var rows = result.Dependences.Where(row => row.On == DependsOn.KeyNames).ToList();
        Assert.Equal(2, rows.Count);
        Assert.All(rows, row => Assert.Equal(Find(row.If.Split('"')[1]).Settings, row.Fleet!.Settings));
        Assert.True(rows[0].Fleet!.Settings.Throughput < rows[1].Fleet!.Settings.Throughput);

        var even = result.Dependences.Single(row => row.On == DependsOn.EvenKeys).Fleet!.Settings.Throughput;
        Assert.InRange(even, 1_500 * 7, 1.1 * 1_500 * 7);
        var headline = string.Join(" ", SizePage.From(result).Result);
        Assert.Contains($"to {Numbers.Count(rows[1].Fleet!.Settings.Throughput)} RU/s", headline, StringComparison.Ordinal);
        Assert.Contains($", even keys {Numbers.Count(even)}.", headline, StringComparison.Ordinal);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_EvenKeys_HaveNoOtherNames() => Assert.DoesNotContain(
        FleetSearch.Find(
            FleetBasis.From(new RunSpec(), cpuMs: 0.25, overheadMs: null), new SizeQuestion(100, Condition(null), Prices),
            Token).Dependences,
        row => row.On is DependsOn.KeyNames or DependsOn.EvenKeys);

    private static RunSpec Tenants(string tenant, params string[] levels) => new()
    {
        Id = "tenants",
        Document = new()
        {
            Kind = DocumentKind.Template,
            Template = $$$"""
                {"id": "{{id}}", "tenant": "{{{tenant}}}", "user": "u-{{random:int:1:1000000}}", "text": "{{random:text:600}}"}
                """,
        },
        Container = levels.Length == 1 ? new() { PartitionKeyPath = levels[0] } : new() { PartitionKeyPaths = levels },
    };

    private static LimitCondition Condition(string? until) => LimitCondition.Parse(until, FleetForecast.ConditionNames([])).Value!;
}
