namespace ScaleOut.Workers.Measuring;

/// <summary>Measures the network round trip to an account by the time that a TCP connect takes.</summary>
internal static class RoundTrip
{
    private const int Connects = 10;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Connects ten times, one after the other. Returns milliseconds, ascending; none if the account cannot be reached that way, such as
    /// through a proxy.
    /// </summary>
    public static async Task<IReadOnlyList<double>> MeasureAsync(Uri endpoint, CancellationToken cancellationToken)
    {
        var milliseconds = new List<double>();
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Limit);
        try
        {
            for (var connect = 0; connect < Connects; connect++)
            {
                using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
                var startedAt = TimeProvider.System.GetTimestamp();
                await socket.ConnectAsync(endpoint.DnsSafeHost, endpoint.Port, limit.Token);
                milliseconds.Add(TimeProvider.System.GetElapsedTime(startedAt).TotalMilliseconds);
            }
        }
        catch (Exception e) when (e is SocketException || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            // Such as an account behind a proxy; the figure is left out.
            return [];
        }

        milliseconds.Sort();
        return milliseconds;
    }
}
