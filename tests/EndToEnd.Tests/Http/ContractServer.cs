namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>
/// The server that the tests of the contract call: <c>DevBox serve</c> with one account for all runs, or the server at the address in
/// SCALEOUT_HTTP_BASE, such as a Function App's https://my-app.azurewebsites.net/. SCALEOUT_HTTP_KEY holds the key of that server, if it
/// needs one.
/// </summary>
public sealed class ContractServer : IAsyncLifetime
{
    private ServeProcess? _own;
    private SimulatedAccount? _account;

    internal HttpClient Client { get; private set; } = null!;

    /// <summary>Whether the server is this machine's.</summary>
    internal bool IsOwn => _own is not null;

    public async ValueTask InitializeAsync()
    {
        if (Environment.GetEnvironmentVariable("SCALEOUT_HTTP_BASE") is not { Length: > 0 } address)
        {
            _account = await KilledRuns.StartAccountAsync();
            _own = await ServeProcess.StartAsync(KilledRuns.Target(_account), KilledRuns.Key(_account));
            Client = _own.Client();
            return;
        }

        Client = new HttpClient { BaseAddress = new Uri(address.TrimEnd('/') + "/") };
        if (Environment.GetEnvironmentVariable("SCALEOUT_HTTP_KEY") is { Length: > 0 } key)
            Client.DefaultRequestHeaders.Add("x-functions-key", key);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        _own?.Dispose();
        if (_account is not null)
            await _account.DisposeAsync();
    }
}
