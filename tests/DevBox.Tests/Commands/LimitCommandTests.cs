namespace ScaleOut.Tests.DevBox.Commands;

public sealed class LimitCommandTests
{
    private const string Note = "note: client.rate of the spec is left out";
    private const string Taken = "there is a run 'taken'";

    /// <summary>The id of an existing run keeps the search from starting after the command line was read.</summary>
    [Theory]
    [InlineData("""{ "client": { "rate": 50 } }""")]
    [InlineData("""{ "workerOverrides": [ { "workers": [0], "client": { "rate": 50 } } ] }""")]
    public async Task Limit_SpecWithARate_LeavesItOutAndSaysSo(string spec)
    {
        using var folder = await FolderAsync(spec);
        var program = await DevBoxCommand.RunAsync(folder.Path, ["limit", "spec.json", "--id", "taken"]);
        Assert.Contains(Note, program.Output, StringComparison.Ordinal);
        Assert.Contains(Taken, program.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("rate:", program.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Limit_RateAsAnOption_NamesTheFieldToUseInstead()
    {
        using var folder = await FolderAsync("{}");
        var program = await DevBoxCommand.RunAsync(folder.Path, ["limit", "spec.json", "--id", "taken", "--rate", "50"]);
        Assert.Contains("leave it out, and say with limit.from where it begins", program.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain(Note, program.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ExperimentState.Incomplete, LimitEnd.FullMachine, false)]
    [InlineData(ExperimentState.Incomplete, LimitEnd.Unknown, false)]
    [InlineData(ExperimentState.Incomplete, LimitEnd.GivenUp, true)]
    [InlineData(ExperimentState.Stopped, LimitEnd.Stopped, true)]
    [InlineData(ExperimentState.Complete, LimitEnd.Refined, false)]
    [InlineData(ExperimentState.Incomplete, null, true)]
    [InlineData(ExperimentState.Complete, null, false)]
    public void GoesOn_EndOfASearch_IsTrueWhereResumingHelps(ExperimentState state, LimitEnd? end, bool goesOn)
    {
        var limit = end is { } known ? new LimitSummary { End = known, Probability = 0, Text = "" } : null;
        Assert.Equal(goesOn, EndedExperiment.GoesOn(state, limit));
    }

    private static async Task<TemporaryFolder> FolderAsync(string spec)
    {
        var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "spec.json"), spec, TestContext.Current.CancellationToken);
        var taken = new RunSpec { Id = "taken", Documents = 100, Workers = 1, Simulation = new SimulationSpec() };
        var files = new RunFiles(new FolderRunStore(Path.Combine(folder.Path, "runs")), "taken");
        Assert.True(await files.TryClaimAsync(taken, TestContext.Current.CancellationToken));
        return folder;
    }
}
