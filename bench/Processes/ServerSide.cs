namespace ScaleOut.Bench.Processes;

/// <summary>What a <see cref="ServerProcess{TReady}"/> does on its own side.</summary>
public static class ServerSide
{
    /// <summary>Says how it is reached, then waits until the parent closes its input.</summary>
    public static async Task ReportReadyAndWaitAsync<TReady>(TReady handshake)
    {
        Console.WriteLine(JsonSerializer.Serialize(handshake));
        while (await Console.In.ReadLineAsync() is not null)
        {
            // Nothing is expected; the end of the input is what counts.
        }
    }
}
