namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>A function runs in a trace, and HttpClient adds the trace of its caller to every request.</summary>
public sealed class TraceHeaderTests : LegsOnAccount
{
    private static readonly string[] TraceHeaders = ["traceparent", "tracestate", "Request-Id", "Correlation-Context", "baggage"];

    private readonly ConcurrentBag<string> _headers = [];

    [Fact]
    public async Task Run_WithinATrace_SendsNothingOfItThroughTheGateway()
    {
        await using var account = await StartAsync(partitions: 1);
        using var http = new HttpClient();
        using var relay = new AccountRelay(account);
        await using var proxy = await LoopbackServer.StartAsync(context => RecordAsync(relay, context));
        await CreateContainerAsync(account);
        using var trace = new Activity("function");
        trace.SetIdFormat(ActivityIdFormat.W3C).Start();

        // This request shows that the trace arrives where nobody removes it.
        await http.GetAsync(new Uri(proxy.Endpoint, "probe"), Cancellation);
        Assert.Contains("traceparent", _headers);
        _headers.Clear();
        var connection = new AccountConnection { Endpoint = proxy.Endpoint, Key = account.Key, Simulated = true };
        await using var runner = new LegRunner(new MemoryRunStore(), connection, new NoProgress());
        var output = await runner.RunAsync(Leg(20), Cancellation);

        Assert.Equal(LegEnd.SliceDone, output.End);
        Assert.Contains("x-ms-date", _headers);
        Assert.DoesNotContain(_headers, header => TraceHeaders.Contains(header, StringComparer.OrdinalIgnoreCase));
        Assert.Same(trace, Activity.Current);
    }

    private async Task RecordAsync(AccountRelay relay, HttpContext context)
    {
        foreach (var header in context.Request.Headers.Keys)
            _headers.Add(header);
        if (context.Request.Path != "/probe")
            await relay.PassOnAsync(context);
    }
}
