namespace ScaleOut.Tests.EndToEnd;

/// <summary>Folders and files that the program cannot use are named in one line, without a stack trace.</summary>
public sealed class UnusableFolderTests : ProgramInFolder
{
    [Theory]
    [InlineData("run", "--documents", "10")]
    [InlineData("resume", "other")]
    [InlineData("serve")]
    public async Task AnyCommand_InADeletedFolder_SaysSo(params string[] arguments)
    {
        Directory.CreateDirectory(In("gone"));
        using var program = DevBoxProcess.StartAfter(In("gone"), "rmdir ../gone", arguments);
        await program.WaitAsync();
        AssertRejected(ResponseOf(program), "error: the working folder was deleted, or it cannot be read.");
    }

    /// <summary>A folder in the place of the lock's file cannot be opened, as another user's file cannot.</summary>
    [Fact]
    public async Task Resume_OfAFolderThatCannotBeUsed_NamesIt()
    {
        Directory.CreateDirectory(In("runs", "other", "lock"));
        await File.WriteAllBytesAsync(
            In("runs", "other", "spec.json"), StoredItem.Write("other/spec.json", new { id = "other" }), Cancellation);

        AssertRejected(
            await CommandAsync("resume", "other"), "'other' cannot be resumed: this user cannot read or write everything in runs");
    }

    [Fact]
    public async Task Serve_OfAFolderThatCannotBeUsed_NamesIt()
    {
        Directory.CreateDirectory(In("runs", "serve.lock"));
        AssertRejected(await CommandAsync("serve", "--port", "0"), In("runs", "serve.lock"));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_WhoseJsonCannotBeWritten_SaysSoAndWhereTheReportIs()
    {
        using var run = await RunAsync(
            "--documents", "10", "--workers", "1", "--latency", "none", "--id", "full", "--json", "/dev/full");
        AssertRejected(ResponseOf(run), "error: --json: '/dev/full' cannot be written: ", Path.Combine("runs", "full", "report.json"));
        Assert.Equal(RunState.Complete, Finished("full").Report.State);
    }
}
