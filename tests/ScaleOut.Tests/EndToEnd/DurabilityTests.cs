namespace ScaleOut.Tests.EndToEnd;

/// <summary>What a run says is kept survives a loss of power: seen in the calls that its processes make of the system.</summary>
public sealed class DurabilityTests
{
    /// <summary>What others rely on, from the claim to the end.</summary>
    private static readonly string[] Items =
    [
        "spec.json", "account.json", "prepared.json", "start.json", LegNames.Attempt(0, 1, 1), LegNames.Result(0, 1), "ending.json",
        .. RunForms.Kind.Forms.Select(form => form.FileName), "ledger.json", "ended.json",
    ];

    [Fact]
    public async Task Run_EachItem_IsOnDiskBeforeItHasItsNameAndItsNameRightAfter()
    {
        Assert.SkipUnless(DiskTrace.IsPossible(), "There is no strace here, or it may not look at processes.");
        using var folder = new TemporaryFolder();
        var trace = Path.Combine(folder.Path, "trace");

        using var run = DevBoxProcess.Start(
            folder.Path, ["--documents", "50", "--workers", "1", "--id", "kept", "--latency", "none"], diskTrace: trace);
        await run.WaitAsync();

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        var published = DiskTrace.Read(trace, folder.Path);
        var kept = Path.Combine(folder.Path, "runs", "kept");
        Assert.All(Items, item =>
        {
            var path = Path.Combine(kept, item);
            var (before, temporary, after) = published[path];
            Assert.StartsWith($"{path}.tmp-", temporary, StringComparison.Ordinal);
            Assert.Equal((temporary, Path.GetDirectoryName(path)), (before, after));
        });
    }
}
