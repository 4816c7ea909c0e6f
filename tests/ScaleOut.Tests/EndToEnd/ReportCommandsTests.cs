using ScaleOut.Tests.Analysis.Experiments;

namespace ScaleOut.Tests.EndToEnd;

/// <summary><c>compare</c> and <c>size</c> on reports as runs and experiments leave them.</summary>
public sealed class ReportCommandsTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public ReportCommandsTests()
    {
        var sample = new RunSample { Seconds = 40, Spec = new() { Id = "one", Documents = 20_000 } };
        Write("one.json", RunForms.Kind.Write(sample.Build()));
        Write(
            "two.json", RunForms.Kind.Write((sample with { Spec = sample.Spec with { Id = "two", Documents = 10_000 } }).Build()));
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
            """u8.ToArray());
        Write("query.json", "{ \"workload\": { \"kind\": \"query\", \"query\": { \"text\": \"SELECT * FROM c\" } } }"u8.ToArray());
        Write("thinking.json", "{ \"workload\": { \"thinkTime\": \"00:00:01\" } }"u8.ToArray());
        Write("broken.json", "{ \"currency\": 3, \"gigabyteSecond\": -1 }"u8.ToArray());
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Compare_TwoRuns_SaysWhatDiffersAndWhy()
    {
        var output = await RunAsync("compare", "one.json", "two.json", "--report", "two.html");

        Assert.StartsWith("Simulated: two against one: 1 figure differs, ", output, StringComparison.Ordinal);
        Assert.Matches("documents per second .* 0.50 .*95%: 0.* differs", output);
        Assert.Contains("  - documents: 20000, 10000", output, StringComparison.Ordinal);
        Assert.Contains(
            "two against one: 1 figure differs", File.ReadAllText(Path.Combine(_folder.Path, "two.html")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compare_ExperimentWithItself_IsTheSame()
    {
        using var comparison = JsonDocument.Parse(await RunAsync("compare", "experiment.json", "experiment.json", "--json"));

        Assert.All(
            comparison.RootElement.GetProperty("rows").EnumerateArray(),
            row => Assert.Equal("same", row.GetProperty("verdict").GetString()));
        Assert.Equal(6, comparison.RootElement.GetProperty("rows").GetArrayLength());
    }

    [Fact]
    public async Task Size_Rate_SaysTheFleetItsSettingWhatStopsASmallerOneAndWhatItCosts()
    {
        var output = await RunAsync("size", "one.json", "--rate", "20000", "--prices", "prices.json", "--report", "size.md");

        Assert.Matches(
            @"^20,000 documents/s take \d+ workers \(each \w+, \d+ in flight, open loop at [\d,.]+/s, 1 core\) on [\d,]+ RU/s\.\n", output);
        Assert.Matches(@"  \d+ +\d+ workers; \d+ workers? do(es)? [\d,.]+ a second, stopped by ", output);
        Assert.Contains("Cost of an hour in EUR, by a list\n", output, StringComparison.Ordinal);
        Assert.Matches(@"  In all without \d items +[\d,.]+\n  A million documents +[\d,.]+\n", output);
        Assert.Matches(@"charge +[\d.]+ RU each +measured +run one, on the simulated account", output);
        Assert.Matches("1 core each +assumed", output);
        Assert.StartsWith(
            "# Size of a fleet\n\n**20,000 documents/s take ", File.ReadAllText(Path.Combine(_folder.Path, "size.md")),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Size_RateBeyondItsThroughput_SaysThatTheBudgetStopsIt()
    {
        using var response = JsonDocument.Parse(
            await RunAsync("size", "--rate", "5000", "--throughput", "10000", "--cpu-per-operation", "0.1ms", "--json"));

        Assert.False(response.RootElement.GetProperty("reached").GetBoolean());
        Assert.Equal("requestUnits", response.RootElement.GetProperty("fleet").GetProperty("boundBy").GetString());
    }

    [Fact]
    public async Task Size_Workers_SaysWhatTheyDoAndWhatStopsThem()
    {
        using var response = JsonDocument.Parse(await RunAsync(
            "size", "one.json", "--workers", "50", "--throughput", "60000", "--cpu-per-operation", "100us", "--overhead", "0",
            "--minutes", "0.5", "--prices", "prices.json", "--json"));
        var text = await RunAsync("size", "--workers", "2", "--cpu-per-operation", "0.1ms", "--minutes", "0.5");

        var fleet = response.RootElement.GetProperty("fleet");
        Assert.Equal("requestUnits", fleet.GetProperty("boundBy").GetString());
        Assert.InRange(fleet.GetProperty("requestUnitsPerSecond").GetDouble(), 57_000, 60_001);
        Assert.Equal("EUR", fleet.GetProperty("cost").GetProperty("currency").GetString());
        Assert.Equal("measured", response.RootElement.GetProperty("basis")[0].GetProperty("origin").GetString());
        Assert.Contains("the whole fleet was simulated, over 30 s", text, StringComparison.Ordinal);
        Assert.Contains("documents/s, stopped by latency", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "workers: 0 is out of range|--cpu-per-operation: 'x' is not a time|--minutes: 'y' is not a number",
        "size", "one.json", "--workers", "0", "--cpu-per-operation", "x", "--minutes", "y")]
    [InlineData("none.json: there is no such spec or report|workers: 0 is out of range", "size", "none.json", "--workers", "0")]
    [InlineData("workload.kind: queries and mixes are not sized", "size", "query.json", "--rate", "10")]
    [InlineData("Give one of --rate, for the fleet that a rate takes, and --workers", "size", "one.json")]
    [InlineData("Give only one of --rate, ", "size", "one.json", "--rate", "10", "--workers", "2")]
    [InlineData("--headroom: only with --rate", "size", "--workers", "2", "--headroom", "0.2")]
    [InlineData("--report: 'x.txt' does not end with .html, .md or .json", "size", "--rate", "2", "--report", "x.txt")]
    [InlineData("--minutes: only with --workers", "size", "--rate", "2", "--minutes", "1")]
    [InlineData("--headroom: not beside --throughput", "size", "--rate", "2", "--headroom", "0.2", "--throughput", "1000")]
    [InlineData("workload.thinkTime: not with --rate", "size", "thinking.json", "--rate", "2")]
    [InlineData("experiment.json: the report of an experiment; give that of one of its runs", "size", "experiment.json", "--rate", "2")]
    [InlineData("one is the report of a run, the other of an experiment", "compare", "one.json", "experiment.json")]
    [InlineData("none.json: there is no such report|also.json: there is no such report", "compare", "none.json", "also.json")]
    [InlineData("prices.json: not a report.json: ", "compare", "one.json", "prices.json")]
    [InlineData("The argument 'b.json' is missing", "compare", "one.json")]
    [InlineData(
        "--rate: 'many' is not a number|--headroom: '2' is not a number from 0 to 0.9|none.json: there is no such spec or report|"
        + "broken.json: currency: |broken.json: gigabyteSecond: ",
        "size", "none.json", "--rate", "many", "--headroom", "2", "--prices", "broken.json")]
    [InlineData("--rate: '-1' is not a number from 0.01", "size", "--rate=-1")]
    public async Task Run_InvalidInput_SaysAllOfIt(string messages, params string[] arguments)
    {
        var program = await DevBoxCommand.RunAsync(_folder.Path, arguments);

        Assert.True(program.ExitCode == 2, program.Output + program.Errors);
        Assert.All(messages.Split('|'), message => Assert.Contains(message, program.Errors, StringComparison.Ordinal));
        Assert.DoesNotContain("   at ", program.Errors, StringComparison.Ordinal);
    }

    private void Write(string name, byte[] content) => File.WriteAllBytes(Path.Combine(_folder.Path, name), content);

    private async Task<string> RunAsync(params string[] arguments)
    {
        var program = await DevBoxCommand.RunAsync(_folder.Path, arguments);
        Assert.True(program.ExitCode == 0, program.Output + program.Errors);
        return program.Output;
    }
}
