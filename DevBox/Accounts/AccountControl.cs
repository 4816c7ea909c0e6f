namespace ScaleOut.DevBox.Accounts;

/// <summary>The simulated account's control endpoint.</summary>
internal sealed class AccountControl(Uri endpoint) : IDisposable
{
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);

    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false })
    {
        BaseAddress = endpoint,
        Timeout = RequestTimeout,
    };

    /// <summary>Returns the operations of the account since its start.</summary>
    /// <exception cref="HttpRequestException">The account does not respond.</exception>
    public async Task<AccountLedger> ReadLedgerAsync(CancellationToken cancellationToken) => JsonSerializer.Deserialize<AccountLedger>(
        await _http.GetByteArrayAsync("ledger", cancellationToken), ScaleOutJson.Compact)!;

    /// <summary>The account's delays in some UTC seconds.</summary>
    /// <exception cref="HttpRequestException">The account does not respond.</exception>
    public async Task<DeliveredDelays> ReadDelaysAsync(NumberSet seconds, CancellationToken cancellationToken)
    {
        var ranges = string.Join(',', seconds.Ranges.Select(range => $"{range.First}-{range.End}"));
        using var body = new StringContent(ranges);
        using var response = await _http.PostAsync("delays", body, cancellationToken);
        response.EnsureSuccessStatusCode();
        return JsonSerializer.Deserialize<DeliveredDelays>(
            await response.Content.ReadAsByteArrayAsync(cancellationToken), ScaleOutJson.Compact)!;
    }

    public Task<bool> RespondsAsync(CancellationToken cancellationToken) => SucceedsAsync(
        () => _http.GetAsync("ledger", HttpCompletionOption.ResponseHeadersRead, cancellationToken), cancellationToken);

    /// <summary>Asks the account to end; false when it does not respond.</summary>
    public Task<bool> TryShutDownAsync(CancellationToken cancellationToken) =>
        SucceedsAsync(() => _http.PostAsync("shutdown", content: null, cancellationToken), cancellationToken);

    public void Dispose() => _http.Dispose();

    private static async Task<bool> SucceedsAsync(Func<Task<HttpResponseMessage>> sendAsync, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await sendAsync();
            return response.IsSuccessStatusCode;
        }
        catch (Exception e) when (
            e is HttpRequestException || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            // The account does not respond.
            return false;
        }
    }
}
