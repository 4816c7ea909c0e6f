namespace ScaleOut.Tests.DevBox;

/// <summary>
/// Command lines of the program that end by themselves and start nothing: as <see cref="DevBoxProcess"/> runs them, but all in one process.
/// What they write by another way than the console, such as <c>--json -</c>, is not seen here.
/// </summary>
internal static class DevBoxCommand
{
    /// <summary>8 GiB, as the limit of a container would be.</summary>
    private const string Memory = "0x200000000";

    private static readonly SemaphoreSlim OneAtATime = new(1);
    private static Process? _host;

    /// <summary>Runs a command line to its end.</summary>
    /// <param name="folder">Its working folder.</param>
    /// <param name="arguments">Its command line.</param>
    /// <param name="environment">Variables beside those of the tests.</param>
    public static async Task<CommandResponse> RunAsync(
        string folder, IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment = null)
    {
        await OneAtATime.WaitAsync(TestContext.Current.CancellationToken);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        timeout.CancelAfter(DevBoxProcess.Timeout);
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
            // The next command gets a process that is in order.
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

    /// <summary>It ends with its standard input, so with the tests.</summary>
    private static Process StartHost()
    {
        var start = SelfProcess.With();
        start.ArgumentList[^1] = typeof(CommandHost).Assembly.Location;
        start.ArgumentList.Add(CommandHost.Argument);
        DevBoxProcess.SetEnvironment(start);
        start.Environment["DOTNET_GCHeapHardLimit"] = Memory;
        return Process.Start(start)!;
    }
}
