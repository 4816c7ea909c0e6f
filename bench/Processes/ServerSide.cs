namespace ScaleOut.Bench.Processes;

/// <summary>The part of a <see cref="ServerProcess{TReady}"/> that runs in the server's own process.</summary>
public static class ServerSide
{
    /// <summary>Reports how to reach the server, then waits until the parent closes the input.</summary>
    public static async Task ReportReadyAndWaitAsync<TReady>(TReady handshake)
    {
        Console.WriteLine(JsonSerializer.Serialize(handshake));
        while (await Console.In.ReadLineAsync() is not null)
        {
            // Lines have no meaning here. Only the end of the input counts.
        }
    }
}
