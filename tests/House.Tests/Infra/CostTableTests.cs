namespace ScaleOut.Tests.Infra;

public sealed class CostTableTests
{
    private static readonly (string Title, RunSpec Spec, double Seconds)[] Sizes =
    [
        ("100,000 documents, 4 workers, 10,000 RU/s, 1 minute", Spec(100_000, 4, 10_000), 60),
        ("1,000,000 documents, 20 workers, 20,000 RU/s, 5 minutes", Spec(1_000_000, 20, 20_000), 300),
        ("100,000,000 documents, 100 workers, 400,000 RU/s, 25 minutes", Spec(100_000_000, 100, 400_000), 1_500),
    ];

    [Fact]
    public void Readme_Costs_AreThoseOfThePriceFile() => GeneratedText.AssertIs(
        "infra/README.md", Table(PriceList.Read(InfraFiles.Read("prices.json")).Value!), "SCALEOUT_REWRITE_COSTS", nameof(CostTableTests),
        "<!-- made by CostTableTests -->\n", "<!-- end -->\n");

    private static RunSpec Spec(long documents, int workers, int throughput) => new()
    {
        Documents = documents, Workers = workers, LegDuration = RunSpec.DefaultLegDurationInAzure,
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
        return text.Append(CultureInfo.InvariantCulture, $"| **{Words.Capital(costs[0].SumText)}** |")
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
