namespace ScaleOut.Tests.Shared.Specs.Reading;

public sealed class TableBatchRulesTests
{
    [Fact]
    public void Read_TableBatch_IsValidAndHasNoRequestUnits()
    {
        var spec = RunSpecReader.Read("""{"workload": {"kind": "tableBatch"}, "document": {"kind": "flights"}}""").Value!;
        Assert.Equal(100, spec.Workload.DocumentsPerOperation);
        var estimate = RunEstimate.From(spec);
        Assert.Equal((0, null), (estimate.RequestUnits, estimate.Seconds));
        Assert.Empty(RunSpecReader.Check(spec).Errors);
    }

    [Fact]
    public void Read_FieldsThatATableDoesNotHave_AreNamedAllAtOnce() => Assert.Equal(
    [
        "workload.batchSize: 101 is out of range 1..100",
        "container.name: not with kind tableBatch: a run has a table of its own",
        "simulation: not with kind tableBatch: the simulated account has no tables",
        "client.consistency: not with kind tableBatch: tables are strongly consistent",
        "client.contentResponseOnWrite: not with kind tableBatch: no entity is asked back",
    ],
    Errors("""
        {
          "workload": {"kind": "tableBatch", "batchSize": 101}, "container": {"name": "mine"}, "simulation": {},
          "client": {"consistency": "Eventual", "contentResponseOnWrite": true}
        }
        """));

    [Fact]
    public void Read_SettingsOfClientsOfCosmosDb_AreErrors()
    {
        var fields = new JsonObject
        {
            ["maxRequestsPerConnection"] = 8, ["idleConnectionTimeout"] = "20min", ["requestTimeout"] = "5s", ["priority"] = "Low",
            ["throughputBucket"] = 1, ["preferredRegion"] = "West Europe",
        };
        Assert.Equal(
            fields.Select(field => $"client.{field.Key}: not with kind tableBatch: it is a setting of clients of Cosmos DB"),
            Errors($$"""{"workload": {"kind": "tableBatch"}, "client": {{fields.ToJsonString()}}}"""));
    }

    [Fact]
    public void Read_RequestUnitsAndIndexes_AreErrors() => Assert.Equal(
    [
        "container.throughput: not with kind tableBatch: a table has no provisioned RU/s",
        "container.autoscale: not with kind tableBatch: a table has no provisioned RU/s",
        "container.indexing: not with kind tableBatch: a table is indexed by its keys alone",
        "container.excludedPaths: not with kind tableBatch: a table is indexed by its keys alone",
    ],
    Errors("""
        {
          "workload": {"kind": "tableBatch"},
          "container": {"throughput": 1000, "autoscale": true, "indexing": "Lazy", "excludedPaths": ["/*"]}
        }
        """));

    [Fact]
    public void Read_DocumentsThatAreNoEntities_AreErrors() => Assert.Equal(
    [
        """document.template.RowKey: every entity has a property "RowKey" already""",
        """document.template.a-b: "a-b" cannot be the name of a property: it begins with a letter or _, has letters, digits and _, """
            + "and at most 255 characters",
        "document.template.long: may have 40000 characters; a text of an entity has at most 32768",
    ],
    Errors(Template("""
        {
          "pk": "{{key}}", "RowKey": "x", "a-b": "y",
          "long": "{{random:text:10000}}{{random:text:10000}}{{random:text:10000}}{{random:text:10000}}"
        }
        """, batchSize: 1)));

    [Fact]
    public void Read_TooManyProperties_IsAnError()
    {
        var properties = string.Join(',', Enumerable.Range(0, 253).Select(i => $"\"p{i}\": {i}"));
        Assert.Equal(
            ["document.template: has 253 properties beside the keys; an entity has at most 252"],
            Errors(Template($$"""{"pk": "{{"{{key}}"}}", {{properties}}}""", batchSize: 1)));
    }

    [Fact]
    public void Read_BatchesThatAreTooLarge_AreAnError()
    {
        var texts = string.Join(',', Enumerable.Range(0, 5).Select(i => $"\"p{i}\": \"{{{{random:text:10000}}}}\""));
        var template = $$"""{"pk": "{{"{{key}}"}}", {{texts}}}""";

        Assert.Empty(Errors(Template(template, batchSize: 80)));
        Assert.StartsWith(
            "workload.batchSize: 100 documents of about 501", Assert.Single(Errors(Template(template, batchSize: 100))),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("first", "runfirst")]
    [InlineData("20260101", "run20260101")]
    public void From_IdWithoutDashes_IsTheName(string id, string name) => Assert.Equal(name, TableNames.From(id));

    [Fact]
    public void From_IdsThatDifferOnlyInDashes_HaveDifferentValidNames()
    {
        string[] ids = ["ab", "a-b", "ab-", "a--b", new('a', 40), $"a{new string('-', 39)}", $"a{new string('b', 38)}-"];
        var names = ids.Select(TableNames.From).ToList();
        Assert.Equal(ids.Length, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.All(names, name => Assert.Matches("^[A-Za-z][A-Za-z0-9]{2,62}$", name));
    }

    private static IEnumerable<string> Errors(string json) => RunSpecReader.Read(json).Errors.Select(error => error.ToString());

    private static string Template(string template, int batchSize) => $$"""
        {
          "workload": {"kind": "tableBatch", "batchSize": {{batchSize}}},
          "document": {"kind": "template", "template": {{JsonDocument.Parse(template).RootElement.GetRawText()}}}
        }
        """;
}
