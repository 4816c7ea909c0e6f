namespace ScaleOut.Tests.EndToEnd;

/// <summary><c>compare</c> and <c>size</c> with the reports of runs and experiments.</summary>
public sealed class ReportCommandsTests : ProgramInFolder
{
    public ReportCommandsTests()
    {
        var sample = new RunSample { Seconds = 40, Spec = new() { Id = "one", Documents = 20_000 } };
        Write("one.json", RunForms.Kind.Write(sample.Build()));
        Write("two.json", RunForms.Kind.Write((sample with { Spec = sample.Spec with { Id = "two", Documents = 10_000 } }).Build()));
        Write(
            "experiment.json",
            ExperimentForms.Kind.Write(MeasuredExperiment.From([("slow", 1, [500, 510], null), ("fast", 2, [1_000, 1_004], null)])));
        Write(
            "prices.json",
            """
            {
              "currency": "EUR", "requestUnitPerSecondHour": 0.0001, "gigabyteSecond": 0.00001, "instanceGigabytes": 1,
              "source": "a list"
            }
            """u8);
        Write("query.json", """{ "workload": { "kind": "query", "query": { "text": "SELECT DISTINCT c.a FROM c" } } }"""u8);
        Write("thinking.json", """{ "workload": { "thinkTime": "00:00:01" } }"""u8);
        Write("same.json", """{ "id": "always this" }"""u8);
        Write("broken-off.json", """{ "id":"""u8);
        Write("broken.json", """{ "currency": 3, "gigabyteSecond": -1 }"""u8);
    }

    [Fact]
    public async Task Compare_TwoRuns_SaysWhatDiffersAndWhy()
    {
        var output = await OutputAsync("compare", "one.json", "two.json", "--report", "two.html");

        Assert.StartsWith("Simulated: two against one: documents per second x 0.50 (95% interval 0.", output, StringComparison.Ordinal);
        Assert.Matches("documents per second .* 0.50 .*95%: 0.* differs", output);
        Assert.Contains("  - documents: 20000, 10000", output, StringComparison.Ordinal);
        Assert.Contains("two against one: documents per second x 0.50", File.ReadAllText(In("two.html")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compare_ExperimentWithItself_IsTheSame()
    {
        using var comparison = await JsonAsync("compare", "experiment.json", "experiment.json");

        Assert.All(
            comparison.RootElement.GetProperty("rows").EnumerateArray(),
            row => Assert.Equal("same", row.GetProperty("verdict").GetString()));
        Assert.Equal(6, comparison.RootElement.GetProperty("rows").GetArrayLength());
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Size_Rate_SaysTheFleetItsSettingsWhatAMonthCostsAndWritesASpec()
    {
        var output = await OutputAsync(
            "size", "one.json", "--rate", "2000", "--until", "p99<60ms", "--prices", "prices.json", "--report", "size.html");

        Assert.Matches(
            @"^2,000 documents/s take \d+ workers? \(each \w+(?: in bulk)?, \d+ in flight, open loop at [\d,.]+/s, 1 core\) on "
                + @"[\d,]+ RU/s and \d+ partitions?: [\d,.]+ EUR a month at first\.\n", output);
        Assert.Matches("Where the load doubles, it is first bound by ", output);
        Assert.Contains("Cost of a month at the start (730 hours), EUR\n", output, StringComparison.Ordinal);
        Assert.Contains("Cost of a month once grown (730 hours), EUR\n", output, StringComparison.Ordinal);
        Assert.Matches(@"CPU of an operation [\d.]+ ms \(half\) +\d+ workers? on", output);
        Assert.Matches(@"charge +[\d.]+ RU each +assumed", output);
        Assert.Contains("chart-cost-months", File.ReadAllText(In("size.html")), StringComparison.Ordinal);
        Assert.NotEmpty(await OutputAsync("validate", "sized.json"));
    }

    /// <summary>Own documents are sized as a run would write them. A spec also has the key and the index of its container.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("order.json", 7, null)]
    [InlineData("order-spec.json", 5, "/customerId")]
    public async Task Size_OwnDocuments_UsesTheirBytesKeyAndIndex(string file, int indexed, string? key)
    {
        Write("order.json", """{ "id": "{{id}}", "customerId": "{{key}}", "note": "{{random:text:1000}}" }"""u8);
        Write(
            "order-spec.json",
            """
            // A spec of theirs.
            { "document": { "kind": "template", "template": { "id": "{{id}}", "customerId": "{{key}}", "note": "{{random:text:1000}}" } },
              "container": { "partitionKeyPath": "/customerId", "excludedPaths": [ "/note/?" ], "throughput": 400 } }
            """u8);

        using var response = await JsonAsync(
            "size", "--rate", "500", "--document", file, "--cpu-per-operation", "0.2ms", "--spec", "own.json");

        var basis = response.RootElement.GetProperty("basis");
        Assert.Matches($@"^1,1\d\d bytes, {indexed} index entries$", basis[0].GetProperty("value").GetString());
        var sized = RunSpecReader.Read(File.ReadAllText(In("own.json"))).Value!;
        Assert.Contains("random:text:1000", sized.Document.Template, StringComparison.Ordinal);
        Assert.Equal(key, sized.Container.PartitionKeyPath);
        Assert.True(sized.Container.Throughput > 400, "The spec's own RU/s are not those of the fleet.");
    }

    [Fact]
    public async Task Size_RateBeyondItsThroughput_SaysThatTheBudgetStopsIt()
    {
        var program = await CommandAsync(
            "size", "--rate", "500", "--throughput", "1000", "--cpu-per-operation", "0.1ms", "--json", "size.json");
        AssertEnded(program, ExitCode.Incomplete);
        using var response = JsonDocument.Parse(File.ReadAllText(In("size.json")));

        Assert.False(response.RootElement.GetProperty("reached").GetBoolean());
        Assert.Equal("requestUnits", response.RootElement.GetProperty("fleet").GetProperty("boundBy").GetString());
        Assert.False(File.Exists(In("sized.json")));
    }

    [Fact]
    public async Task Size_Workers_SaysWhatTheyDoAndWhatStopsThem()
    {
        using var response = await JsonAsync(
            "size", "one.json", "--workers", "50", "--throughput", "60000", "--cpu-per-operation", "100us", "--overhead", "0",
            "--minutes", "0.5", "--prices", "prices.json");
        var text = await OutputAsync("size", "--workers", "2", "--cpu-per-operation", "0.1ms", "--minutes", "0.5");
        var full = await OutputAsync("size", "--workers", "1", "--concurrency", "50", "--cpu-per-operation", "1ms", "--minutes", "0.5");

        var fleet = response.RootElement.GetProperty("fleet");
        Assert.Equal("requestUnits", fleet.GetProperty("boundBy").GetString());
        Assert.InRange(fleet.GetProperty("requestUnitsPerSecond").GetDouble(), 57_000, 60_001);
        Assert.Equal("EUR", response.RootElement.GetProperty("cost").GetProperty("currency").GetString());
        Assert.Contains("the whole fleet was simulated, over 30 s", text, StringComparison.Ordinal);
        Assert.Contains("stopped by latency", text, StringComparison.Ordinal);
        Assert.Contains("Latencies are not promised: the clients use 100%", full, StringComparison.Ordinal);
        Assert.Contains("No latency is promised.", full, StringComparison.Ordinal);
    }

    /// <summary>
    /// Without a run and without a figure, the CPU of an operation is measured on this machine. Batches are fewer operations than inserts.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Size_UnknownCpu_IsMeasuredHere()
    {
        using var response = await JsonAsync("size", "--rate", "100", "--workload", "batch");

        var basis = response.RootElement.GetProperty("basis").EnumerateArray();
        var cpu = basis.Single(figure => figure.GetProperty("name").GetString() == "CPU");
        Assert.Equal("measured", cpu.GetProperty("origin").GetString());
        Assert.Contains("one worker on one core of this machine", cpu.GetProperty("source").GetString(), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Runs));
    }

    [Theory]
    [InlineData(
        "workers: 0 is out of range|--cpu-per-operation: 'x' is not a time|--minutes: 'y' is not a number",
        "size", "one.json", "--workers", "0", "--cpu-per-operation", "x", "--minutes", "y")]
    [InlineData("none.json: there is no such spec or report|workers: 0 is out of range", "size", "none.json", "--workers", "0")]
    [InlineData(
        "workload.query.text: queries with DISTINCT are not sized", "size", "query.json", "--rate", "10", "--cpu-per-operation", "1ms")]
    [InlineData("workload.query: is missing: the queries of the mix need it", "size", "--rate", "10", "--mix", "insert=20,query=80")]
    [InlineData("Give one of --rate, for the fleet that a rate takes, --within, ", "size", "one.json")]
    [InlineData("Give only one of --rate, ", "size", "one.json", "--rate", "10", "--workers", "2")]
    [InlineData("--headroom: only with --rate", "size", "--workers", "2", "--headroom", "0.2")]
    [InlineData("--until: only with --rate", "size", "--workers", "2", "--until", "p99<5ms")]
    [InlineData("--until: position 1: unknown name 'documents.failed'", "size", "--rate", "2", "--until", "documents.failed<1")]
    [InlineData("document.template.id: ", "size", "--rate", "2", "--document", "same.json")]
    [InlineData("--document: broken-off.json: not JSON", "size", "--rate", "2", "--document", "broken-off.json")]
    [InlineData("document.kind: ", "size", "--rate", "2", "--document", "orders")]
    [InlineData("--report: 'x.txt' does not end with .html or .md", "size", "--rate", "2", "--report", "x.txt")]
    [InlineData("--minutes: only with --workers", "size", "--rate", "2", "--minutes", "1")]
    [InlineData("--headroom: not beside --throughput", "size", "--rate", "2", "--headroom", "0.2", "--throughput", "1000")]
    [InlineData("workload.thinkTime: not with --rate", "size", "thinking.json", "--rate", "2")]
    [InlineData("experiment.json: the report of an experiment; give that of one of its runs", "size", "experiment.json", "--rate", "2")]
    [InlineData("one is the report of a run, the other of an experiment", "compare", "one.json", "experiment.json")]
    [InlineData("none.json: there is no such report|also.json: there is no such report", "compare", "none.json", "also.json")]
    [InlineData("prices.json: not a report.json: ", "compare", "one.json", "prices.json")]
    [InlineData("The argument 'b' is missing", "compare", "one.json")]
    [InlineData(
        "--rate: 'many' is not a number|--headroom: '2' is not a number from 0 to 0.9|none.json: there is no such spec or report|"
        + "broken.json: currency: |broken.json: gigabyteSecond: ",
        "size", "none.json", "--rate", "many", "--headroom", "2", "--prices", "broken.json")]
    [InlineData(
        "--retention: 0 keeps no document|--mix: its shares add up to nothing|--idle-rate: only with --peak",
        "size", "--rate", "2", "--retention", "0", "--mix", "insert=0,read=0", "--idle-rate", "1")]
    [InlineData(
        "--profile: 23 rates, and a day has 24 hours|--profile: \"x\", the rate of hour 3,|"
        + "--write-regions: '0' is not a number from 1 to 50|--reserved: '2y' is not one of none, 1y, 3y|"
        + "--free-tier: 'maybe' is neither no nor yes",
        "size", "--profile", "1,2,3,x,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23", "--write-regions", "0", "--reserved", "2y",
        "--free-tier", "maybe")]
    [InlineData(
        "--profile: not beside --rate|--profile: not beside --peak|--read-regions: not beside several --write-regions|"
        + "--write-regions: the price file has no multipleWritesUnitHour|--reserved: the price file has no reservedYearDiscount",
        "size", "--profile", "1,2", "--rate", "2", "--peak", "8h", "--read-regions", "1", "--write-regions", "2", "--reserved", "1y",
        "--prices", "prices.json")]
    [InlineData("none.csv: there is no such file of rates", "size", "--profile", "none.csv")]
    [InlineData("--within: not beside --rate", "size", "--rate", "2", "--within", "2h")]
    [InlineData(
        "documents: 2000000000000 is out of range 1..1000000000000 (given as --documents)",
        "size", "--within", "2h", "--documents", "2,000,000,000,000", "--document", "device")]
    [InlineData(
        "--retention: not with --within|--within: '0h' is not a time above 0|--prefer: 'x' is neither cost nor workers",
        "size", "--within", "0h", "--retention", "1d", "--prefer", "x")]
    [InlineData(
        "--mix: 'write' is not one of insert, |--mix: 'read=some' is not a kind with a whole number",
        "size", "--rate", "2", "--mix", "write=1,read=some")]
    [InlineData("unknown name 'read.p99'", "size", "--rate", "2", "--until", "read.p99<5ms", "--cpu-per-operation", "1ms")]
    [InlineData("--rate: '-1' is not a number from 0.01", "size", "--rate=-1")]
    public async Task AnyCommand_InvalidInput_ReportsAllErrors(string messages, params string[] arguments)
    {
        AssertRejected(await CommandAsync(arguments), messages.Split('|'));
    }

    private void Write(string name, ReadOnlySpan<byte> content) => File.WriteAllBytes(In(name), content);

    private async Task<JsonDocument> JsonAsync(params string[] arguments)
    {
        await OutputAsync([.. arguments, "--json", "result.json"]);
        return JsonDocument.Parse(await File.ReadAllBytesAsync(In("result.json"), Cancellation));
    }

    private async Task<string> OutputAsync(params string[] arguments)
    {
        var program = await CommandAsync(arguments);
        AssertEnded(program);
        return program.Output;
    }
}
