using System.Net.Http.Headers;

namespace ScaleOut.Tests.Support;

/// <summary>Sends requests to a server of the interface and reads its responses.</summary>
public abstract class HttpConversation
{
    private static readonly TimeSpan RunTimeout = TimeSpan.FromMinutes(5);

    /// <summary>A client whose base address is the server's.</summary>
    protected abstract HttpClient Client { get; }

    protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    protected static string NewId() => $"contract-{Guid.NewGuid():N}"[..40];

    protected static string Small(string id, string? name = null) =>
        new JsonObject
        {
            ["id"] = id, ["name"] = name, ["documents"] = 200, ["workers"] = 1, ["container"] = new JsonObject { ["throughput"] = 1_000 },
        }.ToJsonString();

    protected static string Large(string id) =>
        $$"""{"id":"{{id}}","documents":50000000,"workers":1,"client":{"rate":50},"container":{"throughput":4000} }""";

    protected Task<HttpResponseMessage> PostAsync(string path, string json) =>
        Client.PostAsync(path, new StringContent(json, Encoding.UTF8, "application/json"), Cancellation);

    protected Task<HttpResponseMessage> StopAsync(string id) => Client.PostAsync($"api/runs/{id}/stop", content: null, Cancellation);

    /// <summary>Stops a run that is no longer needed, so that later runs need not wait for it.</summary>
    protected async Task DropAsync(string id)
    {
        (await StopAsync(id)).Dispose();
        await EndedAsync(id);
    }

    /// <summary>Waits until a run has written documents. A run that is stopped before it has a container could not start.</summary>
    protected async Task BegunAsync(string id)
    {
        var deadline = DateTimeOffset.UtcNow + RunTimeout;
        while (true)
        {
            if ((long)(await GetAsync($"api/runs/{id}"))["done"]! > 0)
                return;
            Assert.True(DateTimeOffset.UtcNow < deadline, "The run did not begin.");
            await Task.Delay(50, Cancellation);
        }
    }

    /// <summary>The status of a run once it has ended.</summary>
    protected Task<JsonObject> EndedAsync(string id) => EndedAtAsync($"api/runs/{id}");

    /// <summary>The status at a path once it says that it has ended.</summary>
    protected async Task<JsonObject> EndedAtAsync(string path)
    {
        var deadline = DateTimeOffset.UtcNow + RunTimeout;
        while (true)
        {
            var status = await GetAsync(path);
            if ((string?)status["state"] is not ("queued" or "running" or "stopping"))
                return status;
            Assert.True(DateTimeOffset.UtcNow < deadline, $"The run did not end: {status}");
            await Task.Delay(50, Cancellation);
        }
    }

    protected async Task<JsonObject> GetAsync(string path)
    {
        using var response = await Client.GetAsync(path, Cancellation);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return await JsonAsync(response);
    }

    protected static async Task<JsonObject> JsonAsync(HttpResponseMessage response)
    {
        Assert.Equal("application/json", response.Content.Headers.ContentType?.MediaType);
        return JsonNode.Parse(await response.Content.ReadAsStringAsync(Cancellation))!.AsObject();
    }

    /// <summary>The body of an error, which must have the form of RFC 9457.</summary>
    protected static async Task<JsonObject> ProblemAsync(HttpResponseMessage response, int status, string? instance)
    {
        Assert.Equal(status, (int)response.StatusCode);
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
        var problem = JsonNode.Parse(await response.Content.ReadAsStringAsync(Cancellation))!.AsObject();
        Assert.Equal(status, (int)problem["status"]!);
        Assert.True(Uri.TryCreate((string?)problem["type"], UriKind.Absolute, out _), $"{problem["type"]}");
        Assert.All(["title", "detail"], member => Assert.False(string.IsNullOrWhiteSpace((string?)problem[member])));
        if (instance is not null)
            Assert.Equal(instance, (string?)problem["instance"]);
        return problem;
    }

    /// <summary>The errors by field of a rejected request.</summary>
    protected static async Task<JsonObject> ErrorsAsync(HttpResponseMessage response, string instance) =>
        (await ProblemAsync(response, 400, instance))["errors"]!.AsObject();

    protected async Task<HttpResponseMessage> ReportAsync(string id, string query, string mediaType = "application/json")
    {
        var response = await Client.GetAsync($"api/runs/{id}/report{query}", Cancellation);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(mediaType, response.Content.Headers.ContentType?.MediaType);
        Assert.Equal("utf-8", response.Content.Headers.ContentType?.CharSet);
        return response;
    }

    /// <summary>A body without a Content-Length header.</summary>
    protected sealed class UnannouncedContent : HttpContent
    {
        private readonly byte[] _bytes;

        public UnannouncedContent(string text)
        {
            _bytes = Encoding.UTF8.GetBytes(text);
            Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => stream.WriteAsync(_bytes).AsTask();

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
