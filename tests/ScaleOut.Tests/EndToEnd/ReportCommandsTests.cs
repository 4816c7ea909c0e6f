using System.Text.Json;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Tests.Analysis.Experiments;
using ScaleOut.Tests.Analysis.Reports;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.EndToEnd;

/// <summary><c>compare</c>, <c>size</c> and <c>predict</c> on reports as runs and experiments leave them.</summary>
public sealed class ReportCommandsTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public ReportCommandsTests()
    {
        var sample = new RunSample { Seconds = 40, Spec = new() { Id = "one", Documents = 20_000 } };
        Write("one.json", new JsonReportWriter().Write(sample.Build()));
        Write(
            "two.json", new JsonReportWriter().Write((sample with { Spec = sample.Spec with { Id = "two", Documents = 10_000 } }).Build()));
        Write(
            "experiment.json",
            new ExperimentJsonWriter().Write(MeasuredExperiment.From([("slow", 1, [500, 510], null), ("fast", 2, [1_000, 1_004], null)])));
        Write(
            "prices.json",
            """
            {
              "currency": "EUR", "requestUnitPerSecondHour": 0.0001, "gigabyteSecond": 0.00001, "instanceGigabytes": 1,
              "source": "a list"
            }
            """u8.ToArray());
        Write("query.json", "{ \"workload\": { \"kind\": \"query\", \"query\": { \"text\": \"SELECT * FROM c\" } } }"u8.ToArray());
        Write("broken.json", "{ \"currency\": 3, \"gigabyteSecond\": -1 }"u8.ToArray());
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Compare_TwoRuns_SaysWhatDiffersAndWhy()
    {
        var output = await RunAsync("compare", "one.json", "two.json");

        Assert.Contains("Simulated: two against one", output, StringComparison.Ordinal);
        Assert.Matches("documents per second .* x 0.50, 95% interval 0.* differs", output);
        Assert.Contains("differs in: documents: 20000, 10000", output, StringComparison.Ordinal);
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
    public async Task Size_Experiment_SaysWhatIsNeededAndWhatItCosts()
    {
        var output = await RunAsync("size", "--rate", "900", "--from", "experiment.json", "--prices", "prices.json");

        Assert.Contains("For 900 inserts a second:", output, StringComparison.Ordinal);
        Assert.Contains("1 worker instance", output, StringComparison.Ordinal);
        Assert.Contains("A worker instance is what it was when it was measured: Direct, 2 in flight", output, StringComparison.Ordinal);
        Assert.Contains("EUR", output, StringComparison.Ordinal);
        Assert.Contains("variant fast", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Size_RateThatNothingReached_BeginsWithThat()
    {
        var output = await RunAsync("size", "--rate", "50000", "--from", "experiment.json");

        Assert.StartsWith("Not measured: at most 1 worker was, and they wrote 1,002 documents a second", output, StringComparison.Ordinal);
        Assert.DoesNotContain("worker instance", output, StringComparison.Ordinal);
    }

    /// <summary>Beyond what was measured the fleet is simulated, made of the measured run's clients.</summary>
    [Fact]
    public async Task Size_RunBeyondWhatItMeasured_PredictsTheWorkersAndSaysSo()
    {
        var output = await RunAsync("size", "--rate", "20000", "--from", "one.json", "--prices", "prices.json");

        Assert.StartsWith("Not measured: at most ", output, StringComparison.Ordinal);
        Assert.Matches(
            @"predicted by simulating the fleet in virtual time: [\d,]+ instances of \w+, \d+ in flight, 1 core each write [\d,]+ a second "
            + @"with a p99 of [\d.,]+ ms, bound by ",
            output);
        Assert.Matches(@"[\d,]+ worker instances \(predicted\), 72,000,000 documents an hour", output);
        Assert.Contains("for instances)", output, StringComparison.Ordinal);
        Assert.Contains("Prediction: the clients are those of the run one", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Size_ExperimentWithoutItsRuns_SaysWhyNothingIsPredicted() => Assert.Contains(
        "Prediction: none, because beside the experiment there is no report of ",
        await RunAsync("size", "--rate", "50000", "--from", "experiment.json"),
        StringComparison.Ordinal);

    [Fact]
    public async Task Size_Run_ResponsesAsJson()
    {
        using var response = JsonDocument.Parse(
            await RunAsync("size", "--rate", "4e2", "--from", "one.json", "--documents", "1e9", "--json"));

        Assert.Equal("run one", response.RootElement.GetProperty("source").GetString());
        Assert.Equal(1_000_000_000, response.RootElement.GetProperty("request").GetProperty("documents").GetInt64());
    }

    [Fact]
    public async Task Predict_Run_SaysWhatALargerFleetDoesAndWhatStopsIt()
    {
        using var response = JsonDocument.Parse(await RunAsync(
            "predict", "one.json", "--workers", "50", "--throughput", "60000", "--cpu-per-operation", "100us", "--overhead", "0",
            "--minutes", "0.5", "--prices", "prices.json", "--json"));
        var text = await RunAsync("predict", "--workers", "2", "--cpu-per-operation", "0.1ms", "--minutes", "0.5");

        var forecast = response.RootElement;
        Assert.Equal("requestUnits", forecast.GetProperty("boundBy").GetString());
        Assert.InRange(forecast.GetProperty("requestUnitsPerSecond").GetDouble(), 57_000, 60_001);
        Assert.Equal("EUR", forecast.GetProperty("cost").GetProperty("currency").GetString());
        Assert.Contains("simulated: the whole fleet; all 30 s", text, StringComparison.Ordinal);
        Assert.Contains("stopped by     latency", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "workers: 0 is out of range|--cpu-per-operation: 'x' is not a time|--minutes: 'y' is not a number",
        "predict", "one.json", "--workers", "0", "--cpu-per-operation", "x", "--minutes", "y")]
    [InlineData("none.json: there is no such spec or report|workers: 0 is out of range", "predict", "none.json", "--workers", "0")]
    [InlineData("workload.kind: queries are not predicted", "predict", "query.json")]
    [InlineData("one is the report of a run, the other of an experiment", "compare", "one.json", "experiment.json")]
    [InlineData("none.json: there is no such report|also.json: there is no such report", "compare", "none.json", "also.json")]
    [InlineData("prices.json: not a report.json: ", "compare", "one.json", "prices.json")]
    [InlineData("The argument 'b.json' is missing", "compare", "one.json")]
    [InlineData(
        "--rate: 'many' is not a number.|--documents: '1.5' is not a whole number.|none.json: there is no such report|broken.json: "
        + "currency: |broken.json: gigabyteSecond: ",
        "size", "--rate", "many", "--documents", "1.5", "--from", "none.json", "--prices", "broken.json")]
    [InlineData("--rate: -1 is out of range|--headroom: 2 is out of range", "size", "--rate=-1", "--headroom", "2", "--from", "one.json")]
    [InlineData("there is no variant 'x'; there are slow, fast", "size", "--rate", "1", "--from", "experiment.json", "--variant", "x")]
    [InlineData("--variant: only for the report of an experiment", "size", "--rate", "1", "--from", "one.json", "--variant", "x")]
    [InlineData("Option '--from' is required", "size", "--rate", "1")]
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
