namespace ScaleOut.Tests.Programs;

/// <summary>
/// Runs command lines that end by themselves and start nothing, all in one process. <see cref="DevBoxProcess"/> runs the others. Output
/// that does not go through the console, such as that of <c>--json -</c>, is not captured.
/// </summary>
internal static class DevBoxCommand
{
    /// <summary>8 GiB, as a container's limit.</summary>
    private const string Memory = "0x200000000";

    private static readonly SemaphoreSlim OneAtATime = new(1);
    private static Process? _host;

    /// <param name="folder">The working folder.</param>
    /// <param name="arguments">The command line.</param>
    /// <param name="environment">Variables in addition to those of the tests.</param>
    public static async Task<CommandResponse> RunAsync(
        string folder, IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment = null)
    {
        await OneAtATime.WaitAsync(TestContext.Current.CancellationToken);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        timeout.CancelAfter(Until.Timeout);
        var cancellation = timeout.Token;
        try
        {
            var host = _host ??= StartHost();
            await host.StandardInput.WriteLineAsync(
                ProcessLines.Write(new CommandRequest(folder, [.. arguments], environment ?? new Dictionary<string, string>())));
            await host.StandardInput.FlushAsync(cancellation);
            var response = await host.StandardOutput.ReadLineAsync(cancellation) ?? await host.StandardError.ReadToEndAsync(cancellation);
            return ProcessLines.Read<CommandResponse>(response)
                ?? throw new InvalidOperationException($"The command ended the process that runs all of them: {response}");
        }
        catch
        {
            // The next command gets a new process.
            _host?.Kill();
            _host?.Dispose();
            _host = null;
            throw;
        }
        finally
        {
            OneAtATime.Release();
        }
    }

    /// <summary>The host ends when its standard input ends, which is when the tests end.</summary>
    private static Process StartHost()
    {
        var start = SelfProcess.With();
        start.ArgumentList[^1] = typeof(CommandHost).Assembly.Location;
        DevBoxProcess.SetEnvironment(start);
        // It lives as long as the tests, so that optimized code repays its compilation.
        start.Environment.Remove(SelfProcess.CountingDelay);
        start.Environment["DOTNET_GCHeapHardLimit"] = Memory;
        return Process.Start(start)!;
    }
}
