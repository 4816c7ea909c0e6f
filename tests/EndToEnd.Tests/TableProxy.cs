namespace ScaleOut.Tests.EndToEnd;

/// <summary>What happens to a transaction on its way.</summary>
internal enum Fate
{
    Passes,

    /// <summary>The response is 503 ServerBusy, and the transaction is not done.</summary>
    Busy,

    /// <summary>The response is 500 OperationTimedOut although the transaction is done.</summary>
    TimesOutWhenDone,

    /// <summary>The connection breaks although the transaction is done.</summary>
    BreaksWhenDone,
}

/// <summary>A server in front of Azurite. It passes all requests on, and lets transactions fail as the service does under load.</summary>
internal sealed class TableProxy : IAsyncDisposable
{
    private readonly TableAccount _account;
    private readonly AccountRelay _relay;
    private readonly Func<int, Fate> _fateOf;
    private LoopbackServer? _server;
    private int _transactions;

    private TableProxy(TableAccount account, Func<int, Fate> fateOf) =>
        (_account, _relay, _fateOf) = (account, new AccountRelay(account.Endpoint), fateOf);

    /// <summary>The account by way of the proxy.</summary>
    public TableAccount Account => _account with
    {
        Endpoint = new Uri($"http://127.0.0.1:{_server!.Endpoint.Port}{_account.Endpoint.AbsolutePath}"),
    };

    /// <summary>Number of transactions so far.</summary>
    public int Transactions => _transactions;

    /// <param name="account">The account in Azurite.</param>
    /// <param name="fateOf">Fate of each transaction by its number, from 0.</param>
    public static async Task<TableProxy> StartAsync(TableAccount account, Func<int, Fate> fateOf)
    {
        var proxy = new TableProxy(account, fateOf);
        proxy._server = await LoopbackServer.StartAsync(proxy.RespondAsync);
        return proxy;
    }

    public async ValueTask DisposeAsync()
    {
        await _server!.DisposeAsync();
        _relay.Dispose();
    }

    private async Task RespondAsync(HttpContext context)
    {
        var isTransaction = context.Request.Path.Value!.EndsWith("$batch", StringComparison.Ordinal);
        var fate = isTransaction ? _fateOf(Interlocked.Increment(ref _transactions) - 1) : Fate.Passes;
        if (fate == Fate.Busy)
        {
            await WriteErrorAsync(context, 503, "ServerBusy");
            return;
        }

        using var response = await _relay.SendAsync(context);
        if (fate == Fate.TimesOutWhenDone)
            await WriteErrorAsync(context, 500, "OperationTimedOut");
        else if (fate == Fate.BreaksWhenDone)
            context.Abort();
        else
            await AccountRelay.RespondAsync(context, response);
    }

    private static Task WriteErrorAsync(HttpContext context, int status, string code)
    {
        context.Response.StatusCode = status;
        context.Response.Headers["x-ms-error-code"] = code;
        var error = new { code, message = new { lang = "en-US", value = "Said by the test.\nTime:1" } };
        return context.Response.WriteAsJsonAsync(new Dictionary<string, object> { ["odata.error"] = error });
    }
}
