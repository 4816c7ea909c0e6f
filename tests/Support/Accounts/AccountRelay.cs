using Microsoft.AspNetCore.Http.Features;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Passes requests on to an account, and its responses back.</summary>
internal sealed class AccountRelay(Uri account) : IDisposable
{
    private readonly HttpClient _account = new(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = account };

    public AccountRelay(SimulatedAccount account)
        : this(account.HttpEndpoint)
    {
    }

    public async Task PassOnAsync(HttpContext context)
    {
        using var response = await SendAsync(context);
        await RespondAsync(context, response);
    }

    /// <summary>Sends a request to the account. Its body is sent as a whole, because Azurite reads none in pieces.</summary>
    public async Task<HttpResponseMessage> SendAsync(HttpContext context)
    {
        var target = context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        using var request = new HttpRequestMessage(new HttpMethod(context.Request.Method), new Uri(target, UriKind.Relative));
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body, context.RequestAborted);
        if (body.Length > 0)
            request.Content = new ByteArrayContent(body.ToArray());
        foreach (var (name, values) in context.Request.Headers.Where(header => header.Key is not ("Host" or "Content-Length")))
        {
            if (!request.Headers.TryAddWithoutValidation(name, values.ToArray()))
                request.Content?.Headers.TryAddWithoutValidation(name, values.ToArray());
        }

        return await _account.SendAsync(request, context.RequestAborted);
    }

    public static async Task RespondAsync(HttpContext context, HttpResponseMessage response)
    {
        context.Response.StatusCode = (int)response.StatusCode;
        foreach (var (name, values) in response.Headers.Concat(response.Content.Headers))
        {
            if (name is not ("Transfer-Encoding" or "Connection" or "Keep-Alive" or "Content-Length"))
                context.Response.Headers[name] = values.ToArray();
        }

        await context.Response.Body.WriteAsync(await response.Content.ReadAsByteArrayAsync(), context.RequestAborted);
    }

    public void Dispose() => _account.Dispose();
}
