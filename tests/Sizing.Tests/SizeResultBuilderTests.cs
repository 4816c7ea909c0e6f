namespace ScaleOut.Tests.Sizing;

/// <summary>What a size says that a container needs and costs, compared with arithmetic on the service's documentation.</summary>
public sealed class SizeResultBuilderTests
{
    private const double UnitHour = 0.0001;

    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = UnitHour, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private static LimitCondition Any => LimitCondition.Parse(null, FleetForecast.ConditionNames([])).Value!;

    /// <summary>Fewer RU/s hold and cost less, but leave less room than asked for.</summary>
    [Fact]
    public void FindCheapest_Headroom_IsLeft()
    {
        var basis = FleetBasis.From(Spec("{{random:text:800}}"), cpuMs: 0.25, overheadMs: null);
        var found = FleetSearch.FindCheapest(basis, new SizeQuestion(2_000, Any, Prices) { Headroom = 0.3 }, Cancellation);
        Assert.True(found!.Throughput * 0.7 >= 2_000 * basis.ChargePerDocument, $"{found.Throughput} for {basis.ChargePerDocument}");
    }

    /// <summary>
    /// Autoscale costs half more for an hour. Afterwards its highest is at least a tenth of what it was, in steps of 1,000, and a tenth of
    /// that is billed.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(true, 1.5)]
    [InlineData(false, 1)]
    public void Find_Load_IsBilledAsItsContainerIsBought(bool autoscale, double factor)
    {
        var spec = Spec("{{random:text:100}}") with { Documents = 20_000_000 };
        spec = spec with { Container = spec.Container with { Autoscale = autoscale } };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var result = FleetSearch.Find(
            basis, new SizeQuestion(spec.Documents / 3_600.0, Any, Prices) { Within = TimeSpan.FromHours(1) }, Cancellation);

        var units = result.Settings.Throughput;
        Assert.Equal(units * UnitHour * factor, result.LoadCost!.Throughput, 2);
        var highest = Math.Ceiling(units / 10_000.0) * 1_000;
        var least = autoscale ? highest : Math.Max(400, Math.Ceiling(units / 10_000.0) * 100);
        Assert.Equal(least, (double)result.LoadCost.ThroughputAfterwards!.Value);
        Assert.Equal(
            (highest, Math.Round(highest / 10 * 1.5 * UnitHour * 730, 2)),
            (result.Cost.AutoscaleThroughput, Math.Round(result.Cost.AutoscaleBusy, 2)));
    }

    /// <summary>A delete costs what its insert did, so twice the RU of the inserts are needed, and far fewer are there.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(6.0, true)]
    [InlineData(null, false)]
    public void Find_DocumentsThatExpire_SaysThatTheirDeletesNeedRequestUnits(double? hours, bool says)
    {
        var basis = FleetBasis.From(Spec("{{random:text:100}}"), cpuMs: 0.25, overheadMs: null);
        var question = new SizeQuestion(500, Any, Prices)
        {
            Retention = hours is { } some ? TimeSpan.FromHours(some) : null,
        };
        var needed = $"that needs about {Numbers.Brief(500 * basis.ChargePerDocument)} RU/s";
        var notes = FleetSearch.Find(basis, question, Cancellation).Notes;
        Assert.Equal(says, notes.Any(note => note.Contains(needed, StringComparison.Ordinal)));
    }

    /// <summary>
    /// A query of all partitions takes a twelfth of its RU on each. In the busiest second of an hour, one in 3,600, a normal variable is
    /// 3.45 deviations above its mean.
    /// </summary>
    [Fact]
    public void MonthOf_QueriesOfAllPartitions_VaryByTheirPages()
    {
        const int Partitions = 12;
        var spec = Spec("{{random:text:100}}") with
        {
            Documents = 500_000,
            Workload = new() { Kind = WorkloadKind.Query, Query = new() { Text = "SELECT * FROM c WHERE c.text = 'none'" } },
        };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var trials = FleetTrials.From(
            basis, new SizeQuestion(50, Any, Prices) { OnPartitions = Partitions, Existing = 500_000 }, Cancellation);
        var cost = trials.MonthOf(new FleetSettings(ConnectionMode.Direct, false, 1, 10, 20_000, Partitions));

        var page = trials.Basis.ChargeOn(Partitions) / Partitions;
        var busiest = (50 * page) + (3.45 * Math.Sqrt(50 * page * page));
        Assert.InRange(cost.AutoscaleBusy / (Partitions * busiest * 1.5 * UnitHour * 730), 0.99, 1.01);
    }

    private static RunSpec Spec(string text) => new()
    {
        Id = "bill",
        Document = new()
        {
            Kind = DocumentKind.Template, Template = $$$"""{"id": "{{id}}", "k": "{{key}}", "text": "{{{text}}}"}""",
        },
        Container = new() { PartitionKeyPath = "/k" },
    };
}
