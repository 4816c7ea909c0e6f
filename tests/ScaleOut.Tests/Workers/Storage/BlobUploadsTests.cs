using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage.Blobs;

namespace ScaleOut.Tests.Workers.Storage;

/// <summary>What goes over the wire with an identity, which no Azurite on plain HTTP takes.</summary>
public sealed class BlobUploadsTests
{
    private static readonly Dictionary<string, string> Metadata = new() { ["creator"] = "me" };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Write_WithAnIdentity_SendsItsTokenAndNoSignature()
    {
        var service = new Service(_ => new HttpResponseMessage(HttpStatusCode.Created));

        Assert.True(await Uploads(service).PutAsync("runs/r/spec.json", "{}"u8.ToArray(), Metadata, onlyIfAbsent: true, Cancellation));

        var request = Assert.Single(service.Requests);
        Assert.Equal("PUT https://mine.blob.core.windows.net/scaleout/runs/r/spec.json", request.Line);
        Assert.Equal("Bearer of-mine", request.Headers["Authorization"]);
        Assert.Equal(
            ("*", "BlockBlob", "me"),
            (request.Headers["If-None-Match"], request.Headers["x-ms-blob-type"], request.Headers["x-ms-meta-creator"]));
        Assert.Equal("{}", request.Body);
    }

    [Fact]
    public async Task Write_OverWhateverIsThere_HasNoCondition()
    {
        var service = new Service(_ => new HttpResponseMessage(HttpStatusCode.Created));

        await Uploads(service).PutAsync("runs/r/spec.json", ReadOnlyMemory<byte>.Empty, Metadata, onlyIfAbsent: false, Cancellation);

        Assert.DoesNotContain("If-None-Match", service.Requests.Single().Headers.Keys);
        Assert.Equal("", service.Requests.Single().Body);
    }

    [Theory]
    [InlineData(HttpStatusCode.Conflict, "BlobAlreadyExists")]
    [InlineData(HttpStatusCode.PreconditionFailed, "ConditionNotMet")]
    public async Task Write_BlobIsThere_IsFalse(HttpStatusCode status, string code) =>
        Assert.False(await Uploads(new Service(_ => Response(status, code))).PutAsync(
            "b", ReadOnlyMemory<byte>.Empty, Metadata, onlyIfAbsent: true, Cancellation));

    [Theory]
    [InlineData(HttpStatusCode.Forbidden, "AuthorizationPermissionMismatch")]
    [InlineData(HttpStatusCode.Conflict, "ContainerBeingDeleted")]
    public async Task Write_Rejected_ThrowsWithStatusAndCode(HttpStatusCode status, string code)
    {
        var error = await Assert.ThrowsAsync<RequestFailedException>(() =>
            Uploads(new Service(_ => Response(status, code))).PutAsync(
                "b", ReadOnlyMemory<byte>.Empty, Metadata, onlyIfAbsent: true, Cancellation));

        Assert.Equal(((int)status, code), (error.Status, error.ErrorCode));
        Assert.Equal($"{(int)status} {code}", StorageErrors.Describe(error));
    }

    [Fact]
    public async Task Write_ServiceIsBusyForAMoment_AsksAgain()
    {
        var service = new Service(call => call == 1 ? Response(HttpStatusCode.ServiceUnavailable, "ServerBusy") : new HttpResponseMessage(
            HttpStatusCode.Created));

        Assert.True(await Uploads(service).PutAsync("b", "x"u8.ToArray(), Metadata, onlyIfAbsent: true, Cancellation));
        Assert.Equal(["x", "x"], service.Requests.Select(request => request.Body));
    }

    private static BlobUploads Uploads(Service service)
    {
        var credential = new OwnToken();
        var options = StorageClients.BlobOptions();
        options.Retry.Delay = TimeSpan.FromMilliseconds(1);
        options.Transport = new HttpClientTransport(new HttpClient(service));
        return new BlobUploads(
            new BlobContainerClient(new Uri("https://mine.blob.core.windows.net/scaleout"), credential, options), credential, options);
    }

    private static HttpResponseMessage Response(HttpStatusCode status, string code)
    {
        var response = new HttpResponseMessage(status);
        response.Headers.Add("x-ms-error-code", code);
        return response;
    }

    private sealed record Request(string Line, IReadOnlyDictionary<string, string> Headers, string Body);

    private sealed class Service(Func<int, HttpResponseMessage> response) : HttpMessageHandler
    {
        public List<Request> Requests { get; } = [];

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            Requests.Add(new Request(
                $"{request.Method} {request.RequestUri}",
                request.Headers.ToDictionary(header => header.Key, header => string.Join(',', header.Value)),
                request.Content is null ? "" : await request.Content.ReadAsStringAsync(cancellationToken)));
            return response(Requests.Count);
        }
    }

    private sealed class OwnToken : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new("of-mine", DateTimeOffset.UtcNow.AddHours(1));

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(GetToken(requestContext, cancellationToken));
    }
}
