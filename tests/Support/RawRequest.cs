namespace ScaleOut.Tests.Support;

/// <summary>Sends bytes that no HTTP client would send.</summary>
internal static class RawRequest
{
    /// <summary>Sends a request to a port of 127.0.0.1, and returns everything until the server closes the connection.</summary>
    public static async Task<string> SendAsync(int port, string request)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port, TestContext.Current.CancellationToken);
        var stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(request), TestContext.Current.CancellationToken);
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return await reader.ReadToEndAsync(TestContext.Current.CancellationToken);
    }
}
