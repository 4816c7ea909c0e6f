using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Experiments.Writers;
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
    public async Task Experiment_TwoDraws_AreSimulatedNamedInTheReportAndTheSameAfterAnInterruption()
    {
        using var folder = await FolderAsync();
        var runs = Path.Combine(folder.Path, "runs");

        using var first = await DevBoxProcess.RunAsync(
            folder.Path, ["experiment", "plan.json", "--id", "modes", "--scale", "0.01", "--sensitivity", "2"]);

        Assert.True(first.ExitCode == 0, first.Output + first.Errors);
        var json = await ReadAsync(runs, "modes", SensitivityWriter.JsonName);
        var report = SensitivityWriter.Read(json);
        Assert.Equal([1, 2], report.Draws.Select(draw => draw.Number));
        Assert.Equal(["gateway", "direct"], report.Control.Select(variant => variant.Name));
        Assert.All(report.Control, variant => Assert.True(variant.Rate?.Simulated > 0, variant.NotSimulated));
        Assert.Equal(["modes", "modes-v01-r01", "modes-v02-r01"], Directory.GetDirectories(runs).Select(Path.GetFileName).Order());
        var sentence = Assert.Single(report.Findings).Sentence;
        Assert.Contains(sentence, first.Output, StringComparison.Ordinal);
        Assert.Equal(sentence, (await OwnAsync(runs)).Findings[0].Sensitivity);
        Assert.True(File.Exists(Path.Combine(runs, "modes", SensitivityWriter.PageName)));

        // As a program leaves it that was killed between the last run and the draws.
        var measured = File.GetLastWriteTimeUtc(Path.Combine(runs, "modes-v02-r01", "report.json"));
        var own = await OwnAsync(runs);
        await File.WriteAllBytesAsync(
            Path.Combine(runs, "modes", "report.json"),
            new ExperimentJsonWriter().Write(own with { Findings = [own.Findings[0] with { Sensitivity = null }] }),
            TestContext.Current.CancellationToken);
        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "modes"]);

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Equal(json, await ReadAsync(runs, "modes", SensitivityWriter.JsonName));
        Assert.Equal(sentence, (await OwnAsync(runs)).Findings[0].Sensitivity);
        Assert.Equal(measured, File.GetLastWriteTimeUtc(Path.Combine(runs, "modes-v02-r01", "report.json")));
        var over = await DevBoxCommand.RunAsync(folder.Path, ["resume", "modes"]);
        Assert.Contains("experiment 'modes' has ended", over.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Experiment_DrawsThatCannotBe_SaysAllThatIsWrong()
    {
        using var folder = await FolderAsync();
        var program = await DevBoxCommand.RunAsync(
            folder.Path,
            [
                "experiment", "plan.json", "--sensitivity", "1", "--account", "https://nowhere.example",
            ]);

        Assert.True(program.ExitCode == 2, program.Output + program.Errors);
        Assert.All(
            [
                "--sensitivity: \"1\" is not a whole number from 2 to 99", "--sensitivity: parameters of the simulated account are drawn",
            ],
            message => Assert.Contains(message, program.Errors, StringComparison.Ordinal));
    }

    private static Task<byte[]> ReadAsync(string runs, string id, string name) =>
        File.ReadAllBytesAsync(Path.Combine(runs, id, name), TestContext.Current.CancellationToken);

    private static async Task<ExperimentReport> OwnAsync(string runs) =>
        ExperimentJsonWriter.Read(await ReadAsync(runs, "modes", "report.json"));

    private static async Task<TemporaryFolder> FolderAsync()
    {
        var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), Plan, TestContext.Current.CancellationToken);
        return folder;
    }
}
