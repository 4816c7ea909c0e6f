using static ScaleOut.Tests.EndToEnd.KilledRuns;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>A run that cannot reach its account changes nothing that is kept, and is resumed when it can.</summary>
public sealed class UnreachableAccountTests
{
    private static readonly Dictionary<string, string> WrongKey = new() { ["COSMOS_KEY"] = Convert.ToBase64String(new byte[64]) };

    [Fact]
    public async Task Resume_WrongKeyOrNone_LeavesTheRunAsItWas()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        using (var run = DevBoxProcess.Start(
            folder.Path, ["--documents", "800", "--workers", "2", "--rate", "200", "--id", "cut", .. Target(account)], Key(account)))
        {
            await Until.HoldsAsync(() => File.Exists(Path.Combine(folder.Path, "runs", "cut", "start.json")), "the common start");
            var workers = RunProcesses.Workers(folder.Path, "cut").Values;
            Signals.Send(run.Id, Signals.Kill);
            await run.WaitAsync();
            await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
        }

        var before = Items(folder.Path, "cut");
        for (var time = 0; time < 2; time++)
        {
            using var rejected = await DevBoxProcess.RunAsync(folder.Path, ["resume", "cut"], WrongKey);
            Assert.True(rejected.ExitCode == 2, rejected.Output + rejected.Errors);
            Assert.Contains("error: The run could not go on: The account ", rejected.Errors, StringComparison.Ordinal);
            Assert.Contains("error: nothing of run 'cut' was changed.", rejected.Errors, StringComparison.Ordinal);
            Assert.Contains("go on with: resume cut", rejected.Errors, StringComparison.Ordinal);
            Assert.Equal(before, Items(folder.Path, "cut"));
        }

        foreach (var noKey in (Dictionary<string, string>[])[[], new() { ["COSMOS_KEY"] = "" }])
        {
            using var keyless = await DevBoxProcess.RunAsync(folder.Path, ["resume", "cut"], noKey);
            Assert.True(keyless.ExitCode == 2, keyless.Output + keyless.Errors);
            Assert.Contains("COSMOS_KEY", keyless.Errors, StringComparison.Ordinal);
            Assert.Equal(before, Items(folder.Path, "cut"));
        }

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "cut"], Key(account));
        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        AssertComplete(folder.Path, "cut", 800, ContainerOf(account, "cut"));
    }

    [Fact]
    public async Task Run_FirstStartWithAWrongKey_IsResumedAndLeavesNoContainer()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        string[] arguments = ["--documents", "200", "--workers", "1", "--id", "first", .. Target(account)];
        for (var time = 0; time < 2; time++)
        {
            using var rejected = await DevBoxProcess.RunAsync(folder.Path, arguments, WrongKey);
            Assert.True(rejected.ExitCode == 2, rejected.Output + rejected.Errors);
            Assert.Contains("go on with: resume first", rejected.Errors, StringComparison.Ordinal);
            arguments = ["resume", "first"];
        }

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, arguments, Key(account));
        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        AssertComplete(folder.Path, "first", 200, ContainerOf(account, "first"));
    }

    /// <summary>All that is kept of a run but what its processes log.</summary>
    private static SortedDictionary<string, string> Items(string folder, string id)
    {
        var run = Path.Combine(folder, "runs", id);
        return new(
            Directory.EnumerateFiles(run, "*", SearchOption.AllDirectories)
                .Where(file => !file.Contains("logs", StringComparison.Ordinal) && !file.EndsWith(".lock", StringComparison.Ordinal))
                .ToDictionary(file => file, file => Convert.ToHexString(File.ReadAllBytes(file))),
            StringComparer.Ordinal);
    }
}
