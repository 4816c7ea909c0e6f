namespace ScaleOut.Tests.EndToEnd;

/// <summary>Options that mean the same in every command.</summary>
public sealed class CommandOptionTests : ProgramInFolder
{
    private const string Order = """{ "id": "{{id}}", "customerId": "{{key}}", "status": "{{pick:placed,paid}}", "total": "{{number}}" }""";

    private static string Prices => Path.Combine(RepositoryFiles.Root, "infra", "prices.json");

    [Fact]
    public async Task Compare_Ids_AreThoseOfTheRunsFolder()
    {
        foreach (var id in (string[])["before", "after"])
        {
            Directory.CreateDirectory(In("results", id));
            var sample = new RunSample { Seconds = 40, Spec = new() { Id = id, Documents = 20_000 } };
            await File.WriteAllBytesAsync(In("results", id, "report.json"), RunForms.Kind.Write(sample.Build()), Cancellation);
        }

        var compared = await CommandAsync(
            "compare", "before", "after", "--out", "results", "--report", "change.md", "--json", "change.json", "--quiet");

        AssertEnded(compared);
        Assert.Empty(compared.Output);
        using var json = JsonDocument.Parse(await File.ReadAllBytesAsync(In("change.json"), Cancellation));
        Assert.True(json.RootElement.GetProperty("rows").GetArrayLength() > 0);
        Assert.Contains("after against before", await File.ReadAllTextAsync(In("change.md"), Cancellation), StringComparison.Ordinal);
        AssertRejected(await CommandAsync("compare", "before", "other", "--out", "results"), "no run or experiment 'other' in results.");
        AssertRejected(await CommandAsync("compare", "before", "after", "--json", "no/x", "--report", "x.json"), "--json: ", "--report: ");
    }

    /// <summary>The console has nothing, and the files have the report.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_Quiet_WritesOnlyItsFiles()
    {
        using var run = await RunAsync(
            "run", "--documents", "200", "--workers", "1", "--latency", "none", "--id", "silent", "--quiet", "--json", "my.json",
            "--report", "my.md", "--prices", Prices);

        AssertEnded(run);
        Assert.Empty(run.Output);
        var report = RunForms.Kind.Read(await File.ReadAllBytesAsync(In("my.json"), Cancellation));
        Assert.Equal(200, report.Documents.Verified);
        Assert.Contains("200", await File.ReadAllTextAsync(In("my.md"), Cancellation), StringComparison.Ordinal);
    }

    /// <summary>What a run costs is said before it, as validate says it.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_Prices_SaysWhatValidateSays()
    {
        string[] options =
            ["--documents", "200", "--workers", "1", "--latency", "none", "--throughput", "10000", "--prices", Prices, "--id", "priced"];
        var validated = await CommandAsync(["validate", .. options]);
        using var run = await RunAsync(["run", .. options]);

        AssertEnded(run);
        string[] CostsOf(string output) => [.. output.Split('\n').Where(line => line.StartsWith("  cost ", StringComparison.Ordinal))];
        Assert.Equal(2, CostsOf(run.Output).Length);
        Assert.Equal(CostsOf(validated.Output), CostsOf(run.Output));
        await WriteAsync("broken.json", """{ "currency": 3 }""");
        AssertRejected(
            await CommandAsync("run", "--prices", "broken.json", "--mode", "none"), "broken.json: currency: ", "client.connectionMode");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Database_InEveryCommand_IsThatOfTheContainer()
    {
        await WriteAsync("pair.json", """{ "base": {}, "variants": [{ "name": "a" }, { "name": "b" }] }""");
        using var run = await RunAsync(
            "run", "--documents", "200", "--workers", "1", "--latency", "none", "--id", "named", "--database", "my own");
        var sized = await CommandAsync("size", "--rate", "100", "--cpu-per-operation", "0.3ms", "--quiet", "--database", "my own");

        AssertEnded(run);
        Assert.Equal(("my own", "run-named"), (Finished("named").Container.Database, Finished("named").Container.Name));
        AssertEnded(sized);
        Assert.Equal(
            "my own", (string?)JsonNode.Parse(await File.ReadAllTextAsync(In("sized.json"), Cancellation))!["container"]!["database"]);
        const string Rule = "database: \"a/b\" is not a name for a database or container";
        string[] commands = ["run", "validate", "limit", "size --rate 10", "experiment pair.json", "calibrate"];
        foreach (var command in commands)
            AssertRejected(await CommandAsync([.. command.Split(' '), "--database", "a/b"]), Rule, "(given as --database)");
    }

    [Theory]
    [InlineData("customerId")]
    [InlineData("/customerId")]
    public async Task PartitionKey_InEveryCommand_IsTheSame(string key)
    {
        await WriteAsync("order.json", Order);
        string[] documents = ["--document", "order.json", "--partition-key", key];

        var validated = await CommandAsync(["validate", .. documents]);
        var sized = await CommandAsync(["size", .. documents, "--rate", "100", "--cpu-per-operation", "0.3ms", "--quiet"]);
        var first = await CommandAsync(
            "init", "my.jsonc", "--document", "template", "--partition-key", key, "--workload", "insert", "--documents", "100,000",
            "--workers", "4", "--throughput", "20,000");

        AssertEnded(validated);
        Assert.Contains("the key is /customerId\n", validated.Output, StringComparison.Ordinal);
        Assert.Matches(@"  document +\d+ bytes .*""customerId"":", validated.Output);
        AssertEnded(sized);
        var fleet = RunSpecReader.Read(await File.ReadAllTextAsync(In("sized.json"), Cancellation)).Value!;
        Assert.Equal("/customerId", fleet.Container.PartitionKeyPath);
        AssertEnded(first);
        var spec = RunSpecReader.Read(await File.ReadAllTextAsync(In("my.jsonc"), Cancellation)).Value!;
        Assert.Equal(("/customerId", 100_000, 20_000), (spec.Container.PartitionKeyPath, spec.Documents, spec.Container.Throughput));
    }

    [Fact]
    public async Task PartitionKey_TwoProperties_AreTheLevelsOfAHierarchicalKeyInEveryCommand()
    {
        await WriteAsync("order.json", Order);
        await WriteAsync(
            "single.json",
            $$"""{ "document": { "kind": "template", "template": {{Order}} }, "container": { "partitionKeyPath": "/status" } }""");
        const string Levels = "/customerId,status";

        var validated = await CommandAsync("validate", "single.json", "--partition-key", Levels);
        var sized = await CommandAsync(
            "size", "--document", "order.json", "--partition-key", Levels, "--rate", "100", "--cpu-per-operation", "0.3ms", "--quiet");
        var first = await CommandAsync(
            "init", "my.jsonc", "--document", "template", "--partition-key", Levels, "--workload", "insert", "--documents", "1000",
            "--workers", "4", "--throughput", "20,000");
        var unknown = await CommandAsync("validate", "--document", "order.json", "--partition-key", "customerId,nowhere,status,total");

        AssertEnded(validated);
        Assert.Contains("/customerId", validated.Output, StringComparison.Ordinal);
        AssertEnded(sized);
        AssertEnded(first);
        foreach (var file in (string[])["sized.json", "my.jsonc"])
        {
            var container = RunSpecReader.Read(await File.ReadAllTextAsync(In(file), Cancellation)).Value!.Container;
            Assert.Equal(["/customerId", "/status"], container.PartitionKeyPaths);
            Assert.Null(container.PartitionKeyPath);
        }

        AssertRejected(unknown, "container.partitionKeyPaths: ", "given as --partition-key");
    }

    [Theory]
    [InlineData("run")]
    [InlineData("validate")]
    [InlineData("limit")]
    [InlineData("experiment")]
    [InlineData("size", "--rate", "10")]
    public async Task AnyCommand_DocumentInPlaceOfASpec_SaysHowToUseIt(string command, params string[] more)
    {
        await WriteAsync("order.json", Order);
        AssertRejected(
            await CommandAsync([command, "order.json", .. more]),
            "order.json: this looks like a document, not like a spec.", "--document order.json", "devbox init my.jsonc");
        Assert.Equal(["order.json"], Directory.EnumerateFileSystemEntries(Folder).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("""{ "documnts": 10 }""")]
    [InlineData("""{ "id": "a", "name": "b" }""")]
    [InlineData("{}")]
    [InlineData("[1]")]
    public void IsDocument_SpecOrNone_IsFalse(string text) => Assert.False(ExperimentSpecReader.IsDocument(text));

    [Theory]
    [InlineData("--document: broken.json: not JSON: ", "broken.json", "{,")]
    [InlineData("--document: list.json: a template is a JSON object.", "list.json", "[]")]
    [InlineData("document.template.id: ", "same.json", """{ "id": "always this", "customerId": 3 }""")]
    public async Task Document_UnusableFile_IsNamed(string error, string file, string text)
    {
        await WriteAsync(file, text);
        AssertRejected(await CommandAsync("run", "--document", file, "--workers", "0"), error, "workers: 0 is out of range");
        Assert.False(Directory.Exists(Runs));
    }

    [Theory]
    [InlineData("validate", "--documents", "1,000,000")]
    [InlineData("size", "--rate", "1,000", "--cpu-per-operation", "0.1ms", "--quiet")]
    public async Task Numbers_WithCommasOfThousands_AreNumbers(params string[] line) => AssertEnded(await CommandAsync(line));

    [Theory]
    [InlineData("1,5")]
    [InlineData("10,00")]
    [InlineData("1,000,00")]
    public async Task Numbers_WithOtherCommas_AreRejected(string text) =>
        AssertRejected(await CommandAsync("validate", "--documents", text), "documents: ");

    [Fact]
    public async Task Experiment_ScaleThatIsTooSmall_IsRejectedWithTheSmallest()
    {
        await WriteAsync(
            "plan.json",
            """
            {"base":{"documents":100000,"container":{"throughput":7100},"simulation":{"latency":"none"}},"variants":[{"name":"only"}]}
            """);
        AssertRejected(
            await CommandAsync("experiment", "plan.json", "--scale", "0.01"), "--scale: at 0.01 ", "smallest scale that works is 0.05");
        Assert.False(Directory.Exists(Runs));
    }
}
