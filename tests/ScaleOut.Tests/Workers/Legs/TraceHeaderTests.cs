using LoopbackServer = ScaleOut.Tests.Workers.Accounts.LoopbackServer;

namespace ScaleOut.Tests.Workers.Legs;

/// <summary>A function runs within a trace, and HttpClient writes the trace of its caller into every request.</summary>
public sealed class TraceHeaderTests : LegsOnAccount
{
    private static readonly string[] TraceHeaders = ["traceparent", "tracestate", "Request-Id", "Correlation-Context", "baggage"];

    private readonly ConcurrentBag<string> _headers = [];

    [Fact]
    public async Task Run_WithinATrace_SendsNothingOfItThroughTheGateway()
    {
        await using var account = await StartAsync(partitions: 1);
        using var http = new HttpClient();
        await using var proxy = await LoopbackServer.StartAsync(context => ForwardAsync(http, account, context));
        await CreateContainerAsync(account);
        using var trace = new Activity("function");
        trace.SetIdFormat(ActivityIdFormat.W3C).Start();

        // The trace of a test is one as well: without this request nothing would show that it arrives where nobody takes it away.
        await http.GetAsync(new Uri(proxy.Endpoint, "probe"), Cancellation);
        Assert.Contains("traceparent", _headers);
        _headers.Clear();
        await using var runner = new LegRunner(
            new MemoryRunStore(),
            new AccountConnection { Endpoint = proxy.Endpoint, Key = account.Key, Simulated = true },
            new NoProgress());
        var output = await runner.RunAsync(Leg(20), Cancellation);

        Assert.Equal(LegEnd.SliceDone, output.End);
        Assert.Contains("x-ms-date", _headers);
        Assert.DoesNotContain(_headers, header => TraceHeaders.Contains(header, StringComparer.OrdinalIgnoreCase));
        Assert.Same(trace, Activity.Current);
    }

    private async Task ForwardAsync(HttpClient http, SimulatedAccount account, HttpContext context)
    {
        foreach (var header in context.Request.Headers.Keys)
            _headers.Add(header);
        if (context.Request.Path == "/probe")
            return;
        // What the proxy's own client adds goes to the account alone.
        using var request = new HttpRequestMessage(new HttpMethod(context.Request.Method), new Uri(
            account.HttpEndpoint, context.Request.Path + context.Request.QueryString.ToString()));
        if (context.Request.ContentLength > 0)
            request.Content = new StreamContent(context.Request.Body);
        foreach (var (name, values) in context.Request.Headers)
        {
            if (!request.Headers.TryAddWithoutValidation(name, values.ToArray()))
                request.Content?.Headers.TryAddWithoutValidation(name, values.ToArray());
        }

        using var response = await http.SendAsync(request, context.RequestAborted);
        context.Response.StatusCode = (int)response.StatusCode;
        foreach (var (name, values) in response.Headers.Concat(response.Content.Headers))
        {
            if (!name.Equals("Transfer-Encoding", StringComparison.OrdinalIgnoreCase))
                context.Response.Headers[name] = values.ToArray();
        }

        await response.Content.CopyToAsync(context.Response.Body, context.RequestAborted);
    }
}
