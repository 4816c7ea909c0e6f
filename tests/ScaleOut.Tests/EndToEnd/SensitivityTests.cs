using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Experiments;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.EndToEnd;

public sealed class SensitivityTests
{
    private const string Plan =
        """
        {
          "base": { "documents": 20000, "workers": 1, "container": { "throughput": 100000 } },
          "variants": [
            { "name": "gateway", "change": { "client": { "connectionMode": "Gateway" } } },
            { "name": "direct" }
          ],
          "repeats": 1,
          "findings": [ { "kind": "directBeatsGateway", "variants": ["gateway", "direct"] } ]
        }
        """;

    [Fact]
    public async Task Experiment_TwoDraws_AreMeasuredOnceAndNamedInTheReport()
    {
        using var folder = await FolderAsync();
        string[] command = ["experiment", "plan.json", "--id", "modes", "--scale", "0.01", "--sensitivity", "2"];
        var runs = Path.Combine(folder.Path, "runs");
        string[] measured = ["modes", "modes-s01", "modes-s02"];

        using var first = await DevBoxProcess.RunAsync(folder.Path, command);

        Assert.True(first.ExitCode == 0, first.Output + first.Errors);
        var report = SensitivityWriter.Read(await ReadAsync(runs, "modes", SensitivityWriter.JsonName));
        Assert.Equal(measured[1..], report.Draws.Select(draw => draw.ExperimentId));
        Assert.All(report.Draws, draw => Assert.Equal(ExperimentState.Complete, draw.State));
        var hop = report.Parameters.ToList().FindIndex(parameter => parameter.Name == "latency.gatewayHopMs");
        foreach (var draw in report.Draws)
        {
            var drawn = ExperimentJsonWriter.Read(await ReadAsync(runs, draw.ExperimentId, "report.json"));
            Assert.All(drawn.Variants, variant => Assert.Equal(draw.Values[hop], variant.Plan.Simulation!.Latency!.GatewayHopMs));
        }

        var sentence = Assert.Single(report.Findings).Sentence;
        Assert.Contains(sentence, first.Output, StringComparison.Ordinal);
        Assert.Equal(sentence, ExperimentJsonWriter.Read(await ReadAsync(runs, "modes", "report.json")).Findings[0].Sensitivity);
        Assert.True(File.Exists(Path.Combine(runs, "modes", SensitivityWriter.PageName)));

        DateTime[] Ended() => [.. measured.Select(id => File.GetLastWriteTimeUtc(Path.Combine(runs, $"{id}-v01-r01", "report.json")))];
        var ended = Ended();
        using var again = await DevBoxProcess.RunAsync(folder.Path, command);

        Assert.True(again.ExitCode == 0, again.Output + again.Errors);
        Assert.Equal(ended, Ended());
        Assert.Contains("(modes-s02): measured before", again.Output, StringComparison.Ordinal);
        Assert.Contains(sentence, again.Output, StringComparison.Ordinal);

        // As a program leaves it that was killed during the last draw.
        foreach (var part in Directory.GetDirectories(runs, "modes-s02*"))
            Directory.Delete(part, recursive: true);
        File.Delete(Path.Combine(runs, "modes", SensitivityWriter.JsonName));
        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "modes"]);

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Equal(ended[..2], Ended()[..2]);
        report = SensitivityWriter.Read(await ReadAsync(runs, "modes", SensitivityWriter.JsonName));
        Assert.All(report.Draws, draw => Assert.Equal(ExperimentState.Complete, draw.State));
        using var over = await DevBoxProcess.RunAsync(folder.Path, ["resume", "modes"]);
        Assert.Contains("experiment 'modes' has ended", over.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Experiment_DrawsThatCannotBe_SaysAllThatIsWrong()
    {
        using var folder = await FolderAsync();
        using var program = await DevBoxProcess.RunAsync(
            folder.Path,
            [
                "experiment", "plan.json", "--sensitivity", "1", "--id", "an-id-of-twenty-seven-chars",
                "--account", "https://nowhere.example",
            ]);

        Assert.True(program.ExitCode == 2, program.Output + program.Errors);
        Assert.All(
            [
                "--sensitivity: \"1\" is not a whole number from 2 to 99", "--sensitivity: parameters of the simulated account are drawn",
                "--sensitivity: the id 'an-id-of-twenty-seven-chars' has 27 characters; at most 26",
            ],
            message => Assert.Contains(message, program.Errors, StringComparison.Ordinal));
    }

    private static Task<byte[]> ReadAsync(string runs, string id, string name) =>
        File.ReadAllBytesAsync(Path.Combine(runs, id, name), TestContext.Current.CancellationToken);

    private static async Task<TemporaryFolder> FolderAsync()
    {
        var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), Plan, TestContext.Current.CancellationToken);
        return folder;
    }
}
