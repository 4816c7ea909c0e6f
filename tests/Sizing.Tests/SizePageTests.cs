namespace ScaleOut.Tests.Sizing;

/// <summary>What the page of a result shows first, and its pictures.</summary>
public sealed class SizePageTests
{
    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
    };

    private static readonly FleetBasis Basis = FleetBasis.From(new RunSpec { Id = "sized" }, cpuMs: 0.25, overheadMs: null);

    private static readonly SizeResult Held = Find(1_000, Basis);

    private static readonly XDocument Page = XDocument.Parse(SizePage.From(Held).ToHtml());

    [Fact]
    public void Tiles_RateThatHolds_AreFleetRequestUnitsBothMonthsAndWhatBreaks()
    {
        Assert.True(Held.Reached);
        Assert.Equal(["Fleet", "RU/s", "A month today", "A month grown", "Breaks first"], LabelsOf(Page));
        Assert.Equal("verdict good", VerdictOf(Page).Attribute("class")!.Value);
    }

    /// <summary>Nobody buys a fleet that does not hold the rate, so its price is none to remember.</summary>
    [Fact]
    public void Tiles_RateThatNoFleetHolds_HaveNoPrice()
    {
        var container = Basis.Spec.Container with { Throughput = 1_000 };
        var result = Find(1_000, FleetBasis.From(Basis.Spec with { Container = container }, cpuMs: 0.25, overheadMs: null), keeps: true);
        var page = XDocument.Parse(SizePage.From(result).ToHtml());

        Assert.False(result.Reached);
        Assert.Equal(["Nearest fleet", "RU/s", "Missing"], LabelsOf(page));
        Assert.DoesNotContain(CardsOf(page), card => card.Value.Contains("USD", StringComparison.Ordinal));
        Assert.Equal("verdict bad", VerdictOf(page).Attribute("class")!.Value);
        Assert.DoesNotContain("USD", VerdictOf(page).Element("div")!.Value, StringComparison.Ordinal);
    }

    /// <summary>The bars of a bill end where the bill does.</summary>
    [Fact]
    public void Cost_EachBill_IsTheSumOfItsParts()
    {
        var chart = SizeCharts.Cost(Held);
        Assert.Equal(["a month today", "a month grown"], chart.Y.Rows!);
        foreach (var (row, bill) in new[] { Held.Cost, Held.GrownCost! }.Index())
        {
            var spans = chart.Series.SelectMany(series => series.Y!.Zip(series.To!)).Where(span => span.First == row);
            Assert.Equal(bill.Total, spans.Max(span => span.Second), 2);
        }

        AssertText.Has(chart.Sentence, $"A month today {Numbers.Brief(Held.Cost.Total)} USD: RU/s ", "workers ", "storage ");
    }

    /// <summary>The picture that decides: the bill of each month, whose parts make its height.</summary>
    [Fact]
    public void From_DocumentsThatAreAdded_ShowsTheBillOfEachMonthAlone()
    {
        var chart = Assert.Single(SizeCharts.From(Held));
        Assert.Equal("cost-months", chart.Id);
        Assert.True(Held.CostByMonth.Count > 1);
        foreach (var (index, month) in Held.CostByMonth.Index())
            Assert.Equal(month.Total, chart.Series.Sum(series => series.Y![index]!.Value), 2);
        AssertText.Has(chart.Sentence, "A month today", "A month grown", "storage ");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void From_PartitionsThatDiffer_HaveACellEach()
    {
        var used = Held.Fleet.Partitions with { Used = [100, 200], Lowest = 100, Highest = 200 };
        var chart = SizeCharts.From(Held with { Fleet = Held.Fleet with { Partitions = used } }).Last();
        Assert.Equal(2, chart.Series.Sum(series => series.X!.Count));
    }

    /// <summary>A dear fleet squeezes those that matter, so it is beyond the axis; the browser says how many are.</summary>
    [Fact]
    public void CostAgainstLatency_FleetThatIsMuchDearer_IsBeyondTheAxisAndTheChosenOneIsNamed()
    {
        var dear = Held.Frontier[0] with { IsChosen = false, Cost = 10 * Held.Cost.Total };
        var chart = Assert.Single(
            SizeCharts.From(Held with { CostByMonth = [], Frontier = [.. Held.Frontier, dear] }), one => one.Id == "cost-latency");
        var xs = chart.Series.SelectMany(series => series.X!).ToList();

        Assert.Contains(dear.Cost, xs);
        Assert.InRange(chart.X.Max!.Value, Held.Cost.Total, 2 * Held.Cost.Total);
        var chosen = Assert.Single(chart.Series, series => series.Labels is not null);
        Assert.StartsWith("chosen: ", Assert.Single(chosen.Labels!), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Html_NumberOfWorkers_HasTheBillAndThePartitions()
    {
        var asked = new SizeAsked(Basis.Spec with { Workers = 2 }, Report: null, new JsonObject(), Prices)
        {
            CpuMs = 0.25, Duration = TimeSpan.FromSeconds(20), StartedBy = "devbox size --workers 2",
        };
        var result = await asked.RespondAsync(_ => throw new InvalidOperationException("nothing is measured"), CancellationToken.None);
        var page = XDocument.Parse(SizePage.From(result).ToHtml());
        Assert.Equal(["chart-cost"], page.Descendants("figure").Select(figure => figure.Attribute("id")!.Value));
        Assert.Equal(["Fleet", "RU/s", "A month today", "Bound by"], LabelsOf(page));
    }

    /// <summary>Three lines at 1,280 pixels have about 260 letters; all else is below the tiles.</summary>
    [Fact]
    public void Headline_AnyResult_FitsThreeLines()
    {
        Assert.InRange(SizePage.From(Held).Result.Sum(sentence => sentence.Length + 1), 60, 260);
        Assert.NotEmpty(SizeSentences.Beyond(Held));
        Assert.All(SizeSentences.Beyond(Held), sentence => Assert.Contains(sentence, Page.ToString(), StringComparison.Ordinal));
    }

    private static SizeResult Find(double rate, FleetBasis basis, bool keeps = false)
    {
        var condition = LimitCondition.Parse(null, FleetForecast.ConditionNames([])).Value!;
        return FleetSearch.Find(basis, new SizeQuestion(rate, condition, Prices) { KeepsThroughput = keeps });
    }

    private static XElement VerdictOf(XDocument page) => page.Descendants("div")
        .Single(div => div.Attribute("class")?.Value.StartsWith("verdict ", StringComparison.Ordinal) == true);

    private static IEnumerable<XElement> CardsOf(XDocument page) =>
        page.Descendants("div").Where(div => div.Attribute("class")?.Value == "card");

    private static IEnumerable<string> LabelsOf(XDocument page) => CardsOf(page).Select(card => card.Elements("div").First().Value);
}
