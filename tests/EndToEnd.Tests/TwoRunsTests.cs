namespace ScaleOut.Tests.EndToEnd;

public sealed class TwoRunsTests : ProgramInFolder
{
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_TwoAtOnce_EachHasItsOwnAccount()
    {
        string[] ids = ["left", "right"];
        var runs = await Task.WhenAll(ids.Select(id => RunAsync("--documents", "500", "--workers", "1", "--id", id)));

        foreach (var (run, id) in runs.Zip(ids))
        {
            AssertEnded(run);
            Assert.Equal(500, Finished(id).Container.Documents.Created);
            run.Dispose();
        }
    }

    [Fact]
    public async Task Run_IdInUse_IsRejected()
    {
        Directory.CreateDirectory(In("runs", "mine"));
        await WriteAsync(In("runs", "mine", "spec.json"), "{}");
        var run = await CommandAsync("--documents", "10", "--workers", "1", "--id", "mine");
        AssertRejected(run, "there is a run 'mine' already");
    }
}
