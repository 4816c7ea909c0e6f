namespace ScaleOut.Tests.Infra;

public sealed partial class WorkbookTests
{
    private static readonly string Template = InfraFiles.Read("workbook/workbook.json");

    public static TheoryData<string> Queries => [.. FilesIn("workbook/")];

    [Fact]
    public void Template_Queries_AreTheFiles() => Assert.Equal(
        FilesIn("workbook/").Order(StringComparer.Ordinal), QueriesIn(JsonNode.Parse(Template)!).Order(StringComparer.Ordinal));

    [Fact]
    public void AlertQueries_Deployed_AreTheFiles() => Assert.Equal(
        FilesIn("alert-queries/").Select(file => InfraFiles.Read("alert-queries/" + file)).Order(StringComparer.Ordinal),
        Deployment.Default.OfType("Microsoft.Insights/scheduledQueryRules").SelectMany(QueriesIn).Order(StringComparer.Ordinal));

    /// <summary>The deployed workbook has the component's id and the texts of the queries in the place of their names.</summary>
    [Fact]
    public void Workbook_Deployed_IsOneOfTheComponentWithTheFilesInIt()
    {
        var component = (string)Deployment.Default.OfType("Microsoft.Insights/components").Single()["id"]!;
        var workbook = JsonNode.Parse((string)Deployment.Default.Properties("Microsoft.Insights/workbooks")["serializedData"]!)!;

        Assert.Equal("Notebook/1.0", workbook["version"]!.GetValue<string>());
        Assert.Equal([component], workbook["fallbackResourceIds"]!.AsArray().Select(id => id!.GetValue<string>()));
        Assert.Equal(
            FilesIn("workbook/").Select(file => InfraFiles.Read("workbook/" + file)).Order(StringComparer.Ordinal),
            QueriesIn(workbook).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Template_EveryQuery_ReadsTheComponentInTheTimeRange() => Assert.All(WithQuery(JsonNode.Parse(Template)!), item =>
    {
        Assert.Equal(0, item["queryType"]!.GetValue<int>());
        Assert.Equal("microsoft.insights/components", item["resourceType"]!.GetValue<string>());
        Assert.Equal("TimeRange", item["timeContextFromParameter"]!.GetValue<string>());
    });

    [Theory, MemberData(nameof(Queries))]
    public void Query_Parameters_AreThoseOfTheWorkbook(string file)
    {
        var known = JsonNode.Parse(Template)!["items"]!.AsArray()
            .SelectMany(item => item!["content"]!["parameters"]?.AsArray() ?? [])
            .Select(parameter => parameter!["name"]!.GetValue<string>());
        var used = Parameter().Matches(InfraFiles.Read("workbook/" + file)).Select(match => match.Groups["name"].Value);
        Assert.Subset(known.ToHashSet(), used.ToHashSet());
    }

    /// <summary>An average of percentiles is no percentile.</summary>
    [Theory, MemberData(nameof(Queries))]
    public void Query_Percentiles_AreNeverAveraged(string file)
    {
        var text = InfraFiles.Read("workbook/" + file);
        Assert.DoesNotContain("avg(", text, StringComparison.Ordinal);
        Assert.All(
            text.Split('\n').Where(line => !line.StartsWith("//", StringComparison.Ordinal)),
            line => Assert.DoesNotContain("percentile", line, StringComparison.Ordinal));
    }

    private static IEnumerable<string> FilesIn(string folder) =>
        InfraFiles.Kusto.Where(path => path.StartsWith(folder, StringComparison.Ordinal)).Select(path => path[folder.Length..]);

    private static IEnumerable<string> QueriesIn(JsonNode node) => WithQuery(node).Select(item => item["query"]!.GetValue<string>());

    private static IEnumerable<JsonObject> WithQuery(JsonNode? node) => node switch
    {
        JsonObject item => (item.ContainsKey("query") ? new[] { item } : []).Concat(item.SelectMany(property => WithQuery(property.Value))),
        JsonArray items => items.SelectMany(WithQuery),
        _ => [],
    };

    [GeneratedRegex(@"\{(?<name>\w+)(:\w+)?\}")]
    private static partial Regex Parameter();
}
