namespace ScaleOut.Tests.Infra;

/// <summary>The step of the pipeline that deploys again until new roles hold, with a stand-in for azd.</summary>
public sealed class DeployStepTests : IDisposable
{
    private const string Attempts = "attempts";

    private readonly string _folder = Directory.CreateTempSubdirectory("deploy-step-").FullName;

    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 3)]
    [InlineData(5, 6)]
    public async Task Deploy_Failures_AreTriedAgain(int failures, int attempts)
    {
        var call = await RunAsync(failures);

        Assert.Equal((0, attempts), (call.ExitCode, AttemptsMade));
        Assert.Equal(failures, Regex.Count(call.Output, @"^::warning::Attempt \d of 6 to deploy failed\.", RegexOptions.Multiline));
        Assert.Equal(failures, Regex.Count(call.Output, "^waits 120$", RegexOptions.Multiline));
    }

    [Fact]
    public async Task Deploy_ThatNeverSucceeds_Fails()
    {
        var call = await RunAsync(failures: 1_000);

        Assert.Equal((1, 6), (call.ExitCode, AttemptsMade));
        Assert.Contains("::error::All 6 attempts to deploy failed.", call.Output, StringComparison.Ordinal);
    }

    /// <summary>What was built once is deployed each time.</summary>
    [Fact]
    public void Deploy_Package_IsMadeBefore() => Assert.Contains(
        "run: azd package orchestrator --output-path package.zip --no-prompt\n", Workflow(), StringComparison.Ordinal);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private int AttemptsMade => File.ReadAllLines(Path.Combine(_folder, Attempts)).Length;

    private async Task<ShellCall> RunAsync(int failures)
    {
        Assert.SkipUnless(ShellCall.IsPossible && !OperatingSystem.IsWindows(), "no /bin/sh");
        var step = Regex.Match(Workflow(), @"- name: Deploy\n        run: \|\n(?<lines>(          .*\n)+)").Groups["lines"].Value;
        var script = Path.Combine(_folder, "step.sh");
        await File.WriteAllTextAsync(
            script, "set -e\n" + Regex.Replace(step, "(?m)^          ", ""), TestContext.Current.CancellationToken);
        Make("azd", $"""
            test "$*" = "deploy orchestrator --from-package package.zip --no-prompt" || exit 99
            echo once >> {_folder}/{Attempts}
            test "$(wc -l < {_folder}/{Attempts})" -gt {failures}
            """);
        Make("sleep", "echo waits $1");
        return await ShellCall.RunAsync(
            script, new Dictionary<string, string>(), $"{_folder}:/usr/local/bin:/usr/bin:/bin", TestContext.Current.CancellationToken);
    }

    private void Make(string program, string script)
    {
        var path = Path.Combine(_folder, program);
        File.WriteAllText(path, $"#!/bin/sh\n{script}\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    private static string Workflow() => InfraFiles.ReadTop(".github/workflows/azure-dev.yml");
}
