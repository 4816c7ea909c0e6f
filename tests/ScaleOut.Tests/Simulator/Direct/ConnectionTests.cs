using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Direct;

public sealed class ConnectionTests : IAsyncLifetime
{
    private readonly RecordingLogger _log = new();
    private SimulatedAccount _account = null!;
    private CosmosClient _client = null!;
    private Container _container = null!;
    private DirectTarget _target = null!;

    public static TheoryData<string, byte[]> BadStarts => new()
    {
        { "a handshake of 2147483647 bytes", [255, 255, 255, 127, .. new byte[20]] },
        { "a handshake of 3 bytes", [3, 0, 0, 0, .. new byte[20]] },
        { "the first frame is no handshake", new FrameBuilder(ResourceType.Document, OperationType.Read).Build() },
        { "protocol version 2 is not spoken", FrameBuilder.HandshakeRequest(version: 2) },
        { "a handshake with malformed tokens", new FrameBuilder(0, 0).Token(0, (TokenType)99, [1]).Build() },
    };

    public static TheoryData<string, byte[]> BadFrames => new()
    {
        { "a frame that claims -1 bytes of head and tokens", [255, 255, 255, 255, .. new byte[20]] },
        { "a frame that claims 131073 bytes of head and tokens", [1, 0, 2, 0, .. new byte[20]] },
        { "a frame with malformed tokens", ReadRequest.Token(RequestTokens.Database, (TokenType)99, [1]).Build() },
        { "a frame with malformed tokens", ReadRequest.Token(RequestTokens.Database, TokenType.String, [255, 255, 1]).Build() },
        {
            "a body that claims 2147483647 bytes",
            [
                .. new FrameBuilder(ResourceType.Document, OperationType.Create)
                    .Token(RequestTokens.PayloadPresent, TokenType.Byte, [1]).Build(),
                255, 255, 255, 127,
            ]
        },
    };

    private static FrameBuilder ReadRequest => new(ResourceType.Document, OperationType.Read);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        FaultRule[] slow =
        [
            new FaultRule { Operation = FaultOperation.Delete, DelayMs = 1_000, ConnectionMode = ScaleOut.Specs.ConnectionMode.Direct },
        ];
        _account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 1, Logger = _log, Faults = slow }, Token);
        _client = AccountClients.Create(_account, ConnectionMode.Direct);
        _container = await AccountClients.CreateContainerAsync(_client);
        _target = await DirectTarget.FindAsync(_account, _container);
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _account.DisposeAsync();
    }

    [Theory, MemberData(nameof(BadStarts))]
    public async Task BadFirstFrame_IsOneLogLineAndTheEndOfItsConnection(string fault, byte[] bytes)
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port, handshake: false);

        await client.SendAsync(bytes);

        Assert.Null(await client.ReceiveAsync());
        await AssertLoggedOnceAsync(fault);
    }

    [Theory, MemberData(nameof(BadFrames))]
    public async Task BadFrame_IsOneLogLineAndTheEndOfItsConnectionOnly(string fault, byte[] bytes)
    {
        await using FrameClient good = await FrameClient.ConnectAsync(_target.Port);
        await using FrameClient bad = await FrameClient.ConnectAsync(_target.Port);

        await bad.SendAsync(bytes);

        Assert.Null(await bad.ReceiveAsync());
        await AssertLoggedOnceAsync(fault);
        await good.SendAsync(Create(1, "1"));
        Assert.Equal((201u, 1u), ((await good.ReceiveAsync())!.Value.Status, 1u));
    }

    [Fact]
    public async Task Requests_SentTogetherAndInPieces_AllGetAResponse()
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port);
        byte[] all = [.. Enumerable.Range(1, 100).SelectMany(i => Create((uint)i, $"{i}"))];

        for (int at = 0; at < all.Length; at += 777)
            await client.SendAsync(all.AsMemory(at, Math.Min(777, all.Length - at)));

        var ids = new HashSet<uint>();
        for (int i = 0; i < 100; i++)
        {
            (uint status, uint id, _) = (await client.ReceiveAsync())!.Value;
            Assert.Equal(201u, status);
            ids.Add(id);
        }

        Assert.Equal(100, ids.Count);
        Assert.Equal(100, _account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task DelayedRequest_DoesNotHoldUpTheOnesBehindIt()
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port);

        await client.SendAsync((byte[])[.. Request(1, OperationType.Delete, "none", "delete"), .. Create(2, "2")]);

        Assert.Equal((201u, 2u), await NextAsync(client));
        Assert.Equal((404u, 1u), await NextAsync(client));
    }

    [Fact]
    public async Task ClientThatDoesNotRead_IsNotServedWithoutBound()
    {
        const int requests = 500;
        await _container.AddAsync(new Item { Id = "large", Key = "k", Text = new string('x', 200_000) });
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port, receiveBuffer: 4_096);

        Task sending = client.SendAsync(
            (byte[])[.. Enumerable.Range(1, requests).SelectMany(i => Request((uint)i, OperationType.Read, "large", "get"))]);
        long done = await SettledAsync(() => _account.ReadLedger().Operations.Read.Attempts);

        // 100 MB of responses were asked for; a few lie in sockets and buffers.
        Assert.InRange(done, 1, 200);
        for (int i = 0; i < requests; i++)
            Assert.Equal((200u, (uint)i + 1), await NextAsync(client));
        await sending;
        Assert.Equal(requests, _account.ReadLedger().Operations.Read.Attempts);
    }

    [Fact]
    public async Task WriteToASecondary_IsGone()
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port);
        DirectTarget secondary = _target with { ReplicaPath = _target.ReplicaPath.Replace("0p", "1s", StringComparison.Ordinal) };

        await client.SendAsync(FrameBuilder.Document(secondary, OperationType.Create, 1, "k", null, """{"id":"1","pk":"k"}""", "post"));

        Assert.Equal((410u, 1u), await NextAsync(client));
        Assert.Equal(0, _account.ReadLedger().Operations.Create.Attempts);
    }

    [Fact]
    public async Task WrongSignature_IsUnauthorizedAndCountedAsRejected()
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port);

        await client.SendAsync(
            FrameBuilder.Document(
                _target with { Key = Convert.ToBase64String(new byte[64]) }, OperationType.Read, 1, "k", "1", null, "get"));

        Assert.Equal((401u, 1u), await NextAsync(client));
        AccountLedger ledger = _account.ReadLedger();
        Assert.Equal((1, 0), (ledger.RejectedRequests, ledger.Operations.Read.Attempts));
    }

    [Fact]
    public async Task OldCollectionRid_IsGoneWithStaleName()
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port);

        await client.SendAsync(
            FrameBuilder.Document(
                _target, OperationType.Read, 1, "k", "1", null, "get", frame => frame.Text(RequestTokens.CollectionRid, "AQAAAIAAAAk=")));

        Assert.Equal((410u, 1u), await NextAsync(client));
    }

    [Fact]
    public async Task Dispose_WithOpenConnections_EndsThem()
    {
        await using FrameClient client = await FrameClient.ConnectAsync(_target.Port);

        await _account.DisposeAsync();

        Assert.Null(await client.ReceiveAsync());
    }

    private static async Task<(uint Status, uint Id)> NextAsync(FrameClient client)
    {
        (uint status, uint id, _) = (await client.ReceiveAsync())!.Value;
        return (status, id);
    }

    private static async Task<long> SettledAsync(Func<long> read)
    {
        long last = -1;
        for (int same = 0; same < 5;)
        {
            long now = read();
            same = now == last ? same + 1 : 0;
            last = now;
            await Task.Delay(100, Token);
        }

        return last;
    }

    private byte[] Create(uint request, string id) =>
        FrameBuilder.Document(_target, OperationType.Create, request, "k", null, $$"""{"id":"{{id}}","pk":"k"}""", "post");

    private byte[] Request(uint request, OperationType operation, string id, string verb) =>
        FrameBuilder.Document(_target, operation, request, "k", id, null, verb);

    private async Task AssertLoggedOnceAsync(string fault)
    {
        // The line follows the end of the connection.
        for (int i = 0; i < 200 && _log.Lines.IsEmpty; i++)
            await Task.Delay(10, Token);
        Assert.Contains(fault, Assert.Single(_log.Lines), StringComparison.Ordinal);
    }
}

public sealed class ReplicaPathTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(4_095, 3)]
    [InlineData(ReplicaPath.Master, 0)]
    public void TryParse_PathOfAnAddress_IsItsReplica(int partition, int replica)
    {
        var address = new Uri(ReplicaPath.Address(1234, 7, partition, replica));

        Assert.True(ReplicaPath.TryParse(Encoding.ASCII.GetBytes(address.AbsolutePath), out ReplicaPath path));

        Assert.Equal(("127.0.0.1", 1234), (address.Host, address.Port));
        Assert.Equal(new ReplicaPath(partition, replica == 0), path);
    }

    [Theory]
    [InlineData("")]
    [InlineData("/apps/x/services/y/partitions/")]
    [InlineData("/apps/x/services/y/partitions//replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/-2/replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/1x/replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/99999999999/replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/1/0p/")]
    public void TryParse_NoAddress_IsRejected(string path) => Assert.False(ReplicaPath.TryParse(Encoding.ASCII.GetBytes(path), out _));
}
