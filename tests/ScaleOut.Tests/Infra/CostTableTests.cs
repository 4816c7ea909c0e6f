namespace ScaleOut.Tests.Infra;

/// <summary>The table of what a run costs is made from the price file and the calculation that reports use.</summary>
public sealed class CostTableTests
{
    private const string Rewrite = "SCALEOUT_REWRITE_COSTS";
    private const string Begin = "<!-- made by CostTableTests -->\n";
    private const string End = "<!-- end -->\n";

    private static readonly (string Title, RunSpec Spec, double Seconds)[] Sizes =
    [
        ("100,000 documents, 4 workers, 10,000 RU/s, 1 minute", Spec(100_000, 4, 10_000), 60),
        ("1,000,000 documents, 20 workers, 20,000 RU/s, 5 minutes", Spec(1_000_000, 20, 20_000), 300),
        ("100,000,000 documents, 100 workers, 400,000 RU/s, 25 minutes", Spec(100_000_000, 100, 400_000), 1_500),
    ];

    [Fact]
    public void Readme_Costs_AreThoseOfThePriceFile()
    {
        var prices = PriceList.Read(InfraFiles.Read("prices.json")).Value!;
        var table = Table(prices);
        var readme = InfraFiles.Read("README.md");
        var (from, to) = (readme.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length, readme.IndexOf(End, StringComparison.Ordinal));
        Assert.True(from >= Begin.Length && to >= from, "infra/README.md has no place for the table of costs.");

        if (Environment.GetEnvironmentVariable(Rewrite) == "1")
            File.WriteAllText(Path.Combine(InfraFiles.Folder, "README.md"), readme[..from] + table + readme[to..]);
        else
            Assert.True(
                table == readme[from..to],
                $"infra/README.md has other costs; rewrite them with {Rewrite}=1 dotnet test tests/ScaleOut.Tests --filter "
                    + $"{nameof(CostTableTests)}");
    }

    private static RunSpec Spec(long documents, int workers, int throughput) =>
        new()
        {
            Documents = documents,
            Workers = workers,
            LegDuration = RunSpec.DefaultLegDurationInAzure,
            Container = new() { Throughput = throughput },
        };

    private static string Table(PriceList prices)
    {
        var costs = Sizes.Select(size => RunCost.From(prices, [(size.Spec, size.Seconds)])).ToList();
        var text = new StringBuilder($"| {prices.Currency} for |");
        text.AppendJoin("", Sizes.Select(size => $" {size.Title} |")).Append("\n|---|").AppendJoin("", Sizes.Select(_ => "---:|"))
            .Append('\n');
        for (var item = 0; item < costs[0].Items.Count; item++)
            text.Append(CultureInfo.InvariantCulture, $"| {costs[0].Items[item].Name} |")
                .AppendJoin("", costs.Select(cost => $" {Cell(cost.Items[item])} |")).Append('\n');
        return text.Append(CultureInfo.InvariantCulture, $"| **{costs[0].SumText}** |")
            .AppendJoin("", costs.Select(cost => string.Create(CultureInfo.InvariantCulture, $" **{cost.Amount:N2}** |"))).Append('\n')
            .ToString();
    }

    private static string Cell(CostItem item)
    {
        var unit = item.Unit.Length == 0 ? "" : $" {item.Unit}";
        var quantity = string.Create(
            CultureInfo.InvariantCulture,
            $"{(item.Quantity < 10 ? Math.Round(item.Quantity, 3) : Math.Round(item.Quantity)):#,0.###}{unit}");
        return item.Amount is { } amount
            ? string.Create(CultureInfo.InvariantCulture, $"{amount:N4} ({quantity})")
            : $"no price ({quantity})";
    }
}
