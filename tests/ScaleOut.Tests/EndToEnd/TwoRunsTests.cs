namespace ScaleOut.Tests.EndToEnd;

public class TwoRunsTests
{
    [Fact]
    public async Task Run_TwoAtOnce_EachHasItsOwnAccount()
    {
        using var folder = new TemporaryFolder();
        string[] ids = ["left", "right"];
        var runs = await Task.WhenAll(
            ids.Select(id => DevBoxProcess.RunAsync(folder.Path, ["--documents", "500", "--workers", "1", "--id", id])));

        foreach (var (run, id) in runs.Zip(ids))
        {
            Assert.True(run.ExitCode == 0, run.Output + run.Errors);
            Assert.Equal(500, new FinishedRun(Path.Combine(folder.Path, "runs"), id).Container.Documents.Created);
            run.Dispose();
        }
    }

    [Fact]
    public async Task Run_IdInUse_IsRejected()
    {
        using var folder = new TemporaryFolder();
        Directory.CreateDirectory(Path.Combine(folder.Path, "runs", "mine"));
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "runs", "mine", "spec.json"), "{}", TestContext.Current.CancellationToken);

        var run = await DevBoxCommand.RunAsync(folder.Path, ["--documents", "10", "--workers", "1", "--id", "mine"]);

        Assert.Equal(2, run.ExitCode);
        Assert.Contains("there is a run 'mine' already", run.Errors, StringComparison.Ordinal);
    }
}
