namespace ScaleOut.Orchestrator.Tests;

/// <summary>The program of the app, in a process of its own as the Functions host starts it.</summary>
public sealed class ProgramTests : IDisposable
{
    private const string Prefix = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__";

    private readonly Process _app = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        if (!_app.HasExited)
            _app.Kill();
        _app.Dispose();
    }

    /// <summary>This build has no scheduler, and host.json names it.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Start_SettingsAreMissing_EndsWithALineForEach()
    {
        Start(new Dictionary<string, string?>
        {
            ["MAX_RUS"] = "lots",
            ["WORKER_CAPACITY"] = "0",
            [$"{Prefix}type".Replace("__", ":", StringComparison.Ordinal)] = null,
        });
        var (_, errors) = (_app.StandardOutput.ReadToEndAsync(Cancellation), await _app.StandardError.ReadToEndAsync(Cancellation));
        await _app.WaitForExitAsync(Cancellation);

        var lines = errors.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(1, _app.ExitCode);
        Assert.Equal(["MAX_RUS", "WORKER_CAPACITY", $"{Prefix}type"], lines.Select(line => line.Split(':')[0]));
        Assert.Contains($"to AzureStorage, and {Prefix}connectionStringName to AzureWebJobsStorage", lines[^1], StringComparison.Ordinal);
    }

    /// <summary>What <c>dotnet run</c> checks before the Functions host starts, which would end with an exception of its own.</summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("local.settings.sample.json", true)]
    [InlineData("local.settings.scheduler.sample.json", false)]
    public async Task Build_BackendOfTheSettings_MustBeInTheBuild(string settings, bool isThere)
    {
        Start(
            "msbuild", Path.Combine(RepositoryFiles.Root, "Orchestrator", "Orchestrator.csproj"), "-t:CheckLocalBackend", "-nologo",
            "-p:DurableTaskScheduler=false", $"-p:OutDir={AppContext.BaseDirectory}",
            $"-p:_Settings={Path.Combine(RepositoryFiles.Root, settings)}");
        var output = await _app.StandardOutput.ReadToEndAsync(Cancellation);
        await _app.WaitForExitAsync(Cancellation);

        Assert.True(isThere == (_app.ExitCode == 0), output);
        Assert.Equal(
            !isThere, output.Contains($"{Prefix}type (AzureStorage) and {Prefix}connectionStringName (", StringComparison.Ordinal));
    }

    private void Start(Dictionary<string, string?> settings) => Start(
        [
            typeof(FunctionApp).Assembly.Location,
            .. AppSettings.HostArguments(new Uri("http://127.0.0.1:9/")), .. AppSettings.Arguments(settings),
        ]);

    private void Start(params IEnumerable<string> arguments)
    {
        _app.StartInfo = new ProcessStartInfo("dotnet", arguments)
        {
            RedirectStandardError = true, RedirectStandardOutput = true, WorkingDirectory = AppContext.BaseDirectory,
        };
        _app.Start();
    }
}
