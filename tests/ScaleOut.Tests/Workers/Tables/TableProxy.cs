using System.Net.Http.Headers;

namespace ScaleOut.Tests.Workers.Tables;

/// <summary>What becomes of a transaction on its way.</summary>
internal enum Fate
{
    Passes,

    /// <summary>503 ServerBusy without it being done.</summary>
    Busy,

    /// <summary>500 OperationTimedOut although it is done.</summary>
    TimesOutWhenDone,

    /// <summary>The connection breaks although it is done.</summary>
    BreaksWhenDone,
}

/// <summary>A server in front of Azurite that passes everything on, and lets transactions meet what the service does under load.</summary>
internal sealed class TableProxy : IAsyncDisposable
{
    private readonly HttpClient _http = new();
    private readonly TableAccount _account;
    private readonly Func<int, Fate> _fateOf;
    private LoopbackServer? _server;
    private int _transactions;

    private TableProxy(TableAccount account, Func<int, Fate> fateOf) => (_account, _fateOf) = (account, fateOf);

    /// <summary>The account by way of the proxy.</summary>
    public TableAccount Account => _account with
    {
        Endpoint = new Uri($"http://127.0.0.1:{_server!.Endpoint.Port}{_account.Endpoint.AbsolutePath}"),
    };

    /// <summary>Transactions that came so far.</summary>
    public int Transactions => _transactions;

    /// <param name="account">Azurite's.</param>
    /// <param name="fateOf">Of each transaction by its number, from 0.</param>
    public static async Task<TableProxy> StartAsync(TableAccount account, Func<int, Fate> fateOf)
    {
        var proxy = new TableProxy(account, fateOf);
        proxy._server = await LoopbackServer.StartAsync(proxy.RespondAsync);
        return proxy;
    }

    public async ValueTask DisposeAsync()
    {
        await _server!.DisposeAsync();
        _http.Dispose();
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

        using var request = await RequestOfAsync(context);
        using var response = await _http.SendAsync(request, context.RequestAborted);
        if (fate == Fate.TimesOutWhenDone)
        {
            await WriteErrorAsync(context, 500, "OperationTimedOut");
        }
        else if (fate == Fate.BreaksWhenDone)
        {
            context.Abort();
        }
        else
        {
            context.Response.StatusCode = (int)response.StatusCode;
            foreach (var (name, values) in response.Headers.Concat(response.Content.Headers))
            {
                if (name is not ("Transfer-Encoding" or "Connection" or "Keep-Alive" or "Content-Length"))
                    context.Response.Headers[name] = values.ToArray();
            }

            await response.Content.CopyToAsync(context.Response.Body);
        }
    }

    private async Task<HttpRequestMessage> RequestOfAsync(HttpContext context)
    {
        var request = new HttpRequestMessage(
            new HttpMethod(context.Request.Method),
            new Uri(_account.Endpoint, $"{context.Request.Path.ToUriComponent()}{context.Request.QueryString.ToUriComponent()}"));
        if (context.Request.ContentLength is > 0)
        {
            // As a whole: Azurite reads no request in pieces.
            using var body = new MemoryStream();
            await context.Request.Body.CopyToAsync(body);
            request.Content = new ByteArrayContent(body.ToArray());
            request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(context.Request.ContentType!);
        }

        foreach (var (name, values) in context.Request.Headers)
        {
            if (name is not ("Host" or "Content-Length" or "Content-Type"))
                request.Headers.TryAddWithoutValidation(name, values.ToArray());
        }

        return request;
    }

    private static Task WriteErrorAsync(HttpContext context, int status, string code)
    {
        context.Response.StatusCode = status;
        context.Response.Headers["x-ms-error-code"] = code;
        return context.Response.WriteAsync(
            JsonSerializer.Serialize(new Dictionary<string, object>
            {
                ["odata.error"] = new { code, message = new { lang = "en-US", value = "Said by the test.\nTime:1" } },
            }));
    }
}
