namespace ScaleOut.Bench.Processes;

/// <summary>Starts further instances of this program as servers.</summary>
public static class ServerProcesses
{
    /// <summary>Starts a server and waits until it reports how to reach it.</summary>
    public static async Task<ServerProcess<TReady>> StartAsync<TReady>(string role, object settings)
    {
        var start = new ProcessStartInfo(
            Environment.ProcessPath!,
            [role, JsonSerializer.Serialize(settings)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        var process = Process.Start(start) ?? throw new InvalidOperationException($"The {role} did not start.");
        var line = await process.StandardOutput.ReadLineAsync()
            ?? throw new InvalidOperationException($"The {role} ended before it was ready.");
        return new ServerProcess<TReady>(process, JsonSerializer.Deserialize<TReady>(line)!);
    }
}
