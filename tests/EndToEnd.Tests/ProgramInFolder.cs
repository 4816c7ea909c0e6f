namespace ScaleOut.Tests.EndToEnd;

/// <summary>Runs the program in a temporary folder of each test.</summary>
public abstract class ProgramInFolder : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    protected string Folder => _folder.Path;

    protected string Runs => In("runs");

    public void Dispose()
    {
        _folder.Dispose();
        GC.SuppressFinalize(this);
    }

    protected string In(params string[] names) => Path.Combine([Folder, .. names]);

    protected Task WriteAsync(string name, string text) => File.WriteAllTextAsync(In(name), text, Cancellation);

    /// <summary>Runs a command line that starts no processes.</summary>
    private protected Task<CommandResponse> CommandAsync(params string[] arguments) => DevBoxCommand.RunAsync(Folder, arguments);

    private protected Task<CommandResponse> CommandAsync(string[] arguments, IReadOnlyDictionary<string, string>? environment) =>
        DevBoxCommand.RunAsync(Folder, arguments, environment);

    /// <summary>Starts the program as a user does.</summary>
    private protected DevBoxProcess Start(params string[] arguments) => DevBoxProcess.Start(Folder, arguments);

    private protected DevBoxProcess Start(
        string[] arguments, IReadOnlyDictionary<string, string>? environment = null, int? maxKilobytesOfAFile = null) =>
        DevBoxProcess.Start(Folder, arguments, environment, maxKilobytesOfAFile);

    /// <summary>Runs the program to its end as a user does.</summary>
    private protected Task<DevBoxProcess> RunAsync(params string[] arguments) => DevBoxProcess.RunAsync(Folder, arguments);

    private protected Task<DevBoxProcess> RunAsync(string[] arguments, IReadOnlyDictionary<string, string>? environment) =>
        DevBoxProcess.RunAsync(Folder, arguments, environment);

    private protected FinishedRun Finished(string id) => new(Runs, id);

    /// <summary>
    /// The command line of a run that does not end by itself and loads the machine little. Its latency is long, so that operations are in
    /// flight at any time.
    /// </summary>
    private protected static string[] Endless(string id, int workers = 1) =>
        ["--documents", "1000000", "--workers", $"{workers}", "--latency", "cross-region", "--concurrency", "8", "--id", id];

    /// <summary>Sends a signal and waits for the end of the program.</summary>
    private protected static async Task SignalAsync(DevBoxProcess program, int signal)
    {
        Signals.Send(program.Id, signal);
        await program.WaitAsync();
    }

    private protected static void AssertEnded(DevBoxProcess program, int exitCode = 0) => AssertEnded(ResponseOf(program), exitCode);

    private protected static void AssertEnded(CommandResponse program, int exitCode = 0) =>
        Assert.True(program.ExitCode == exitCode, $"exit code {program.ExitCode}\n{program.Output}\n{program.Errors}");

    /// <summary>Asserts that a command ended with exit code 2 and these errors, without a stack trace.</summary>
    private protected static void AssertRejected(CommandResponse program, params string[] errors)
    {
        AssertEnded(program, exitCode: 2);
        Assert.All(errors, error => Assert.Contains(error, program.Errors, StringComparison.Ordinal));
        Assert.DoesNotContain("   at ", program.Output + program.Errors, StringComparison.Ordinal);
    }

    private protected static CommandResponse ResponseOf(DevBoxProcess program) => new(program.ExitCode, program.Output, program.Errors);
}
