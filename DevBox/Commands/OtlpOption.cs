namespace ScaleOut.DevBox.Commands;

/// <summary>The collector that gets the metrics of a run.</summary>
internal sealed class OtlpOption() : TextOption(
    "--otlp", "url",
    "Sends metrics and traces to an OpenTelemetry collector, such as http://127.0.0.1:4317: OTLP over gRPC, on port 4318 over HTTP.")
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(2);

    /// <summary>The collector's address; null if none is given.</summary>
    /// <exception cref="InputException">The address is none, or nothing listens there.</exception>
    public async Task<Uri?> ReadAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(this) is not { } text)
            return null;
        if (AzureEndpoints.Parse(text) is not { } collector)
            throw new InputException($"{Name}: '{text}' is not an address such as http://127.0.0.1:4317.");
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(ConnectTimeout);
        try
        {
            await socket.ConnectAsync(collector.DnsSafeHost, collector.Port, limit.Token);
            return collector;
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException && !cancellationToken.IsCancellationRequested)
        {
            throw new InputException($"{Name}: no collector listens at {collector}: {OneLine.From(e.Message)}");
        }
    }
}
