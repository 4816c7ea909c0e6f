namespace ScaleOut.Tests.Infra;

/// <summary>What a POSIX shell script did.</summary>
internal sealed record ShellCall(int ExitCode, string Output)
{
    /// <summary>Whether there is a POSIX shell where scripts say it is.</summary>
    public static bool IsPossible { get; } = File.Exists("/bin/sh");

    /// <summary>Runs a script with these variables and a search path, and nothing else of this process's environment.</summary>
    public static async Task<ShellCall> RunAsync(
        string script, IReadOnlyDictionary<string, string> variables, string searchPath, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("/bin/sh", [script])
        {
            RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = Path.GetTempPath(),
        };
        start.Environment.Clear();
        start.Environment["PATH"] = searchPath;
        foreach (var (name, value) in variables)
            start.Environment[name] = value;

        using var process = Process.Start(start)!;
        var output = await Task.WhenAll(
            process.StandardOutput.ReadToEndAsync(cancellationToken), process.StandardError.ReadToEndAsync(cancellationToken));
        await process.WaitForExitAsync(cancellationToken);
        return new ShellCall(process.ExitCode, string.Concat(output));
    }
}
