using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Direct;

public sealed class DirectConnectionTests : SdkTests, IAsyncLifetime
{
    private readonly RecordingLogger _log = new();
    private OwnAccount _own = null!;
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
        { "a body that claims 2147483647 bytes", [.. CreateRequest.Build(), 255, 255, 255, 127] },
    };

    private static FrameBuilder ReadRequest => new(ResourceType.Document, OperationType.Read);
    private static FrameBuilder CreateRequest =>
        new FrameBuilder(ResourceType.Document, OperationType.Create).Token(RequestTokens.PayloadPresent, TokenType.Byte, [1]);

    public async ValueTask InitializeAsync()
    {
        var slow = new FaultRule
        {
            Operation = FaultOperation.Delete, DelayMs = 1_000, ConnectionMode = ScaleOut.Specs.ConnectionMode.Direct,
        };
        _own = await OwnAccount.StartAsync(
            ConnectionMode.Direct, new AccountSettings { PhysicalPartitions = 1, Logger = _log, Faults = [slow] });
        _target = await DirectTarget.FindAsync(_own.Account, _own.Container);
    }

    public ValueTask DisposeAsync() => _own.DisposeAsync();

    [Theory, MemberData(nameof(BadStarts))]
    public async Task Frame_BadFirst_IsLoggedOnceAndEndsItsConnection(string fault, byte[] bytes)
    {
        await using var client = await FrameClient.ConnectAsync(_target.Port, handshake: false);
        await client.SendAsync(bytes);
        Assert.Null(await client.ReceiveAsync());
        await AssertLoggedOnceAsync(fault);
    }

    [Theory, MemberData(nameof(BadFrames))]
    public async Task Frame_Bad_IsLoggedOnceAndEndsOnlyItsConnection(string fault, byte[] bytes)
    {
        await using var good = await FrameClient.ConnectAsync(_target.Port);
        await using var bad = await FrameClient.ConnectAsync(_target.Port);
        await bad.SendAsync(bytes);
        Assert.Null(await bad.ReceiveAsync());
        await AssertLoggedOnceAsync(fault);
        await good.SendAsync(Create(1, "1"));
        Assert.Equal((201u, 1u), await NextAsync(good));
    }

    [Fact]
    public async Task Requests_SentTogetherAndInPieces_AllGetAResponse()
    {
        await using var client = await FrameClient.ConnectAsync(_target.Port);
        byte[] all = [.. Enumerable.Range(1, 100).SelectMany(i => Create((uint)i, $"{i}"))];
        for (var at = 0; at < all.Length; at += 777)
            await client.SendAsync(all.AsMemory(at, Math.Min(777, all.Length - at)));

        var responses = new HashSet<(uint Status, uint Id)>();
        for (var i = 0; i < 100; i++)
            responses.Add(await NextAsync(client));
        Assert.Equal(Enumerable.Range(1, 100).Select(i => (201u, (uint)i)), responses.Order());
        Assert.Equal(100, _own.Account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task Request_Delayed_DoesNotDelayLaterOnes()
    {
        await using var client = await FrameClient.ConnectAsync(_target.Port);
        await client.SendAsync((byte[])[.. Request(1, OperationType.Delete, "none", "delete"), .. Create(2, "2")]);
        Assert.Equal((201u, 2u), await NextAsync(client));
        Assert.Equal((404u, 1u), await NextAsync(client));
    }

    [Fact]
    public async Task Client_DoesNotRead_IsServedFewRequests()
    {
        const int requests = 250;
        await _own.Container.AddAsync(new Item { Id = "large", Key = "k", Text = new string('x', 200_000) });
        await using var client = await FrameClient.ConnectAsync(_target.Port, receiveBuffer: 4_096);
        var sending = client.SendAsync(
            (byte[])[.. Enumerable.Range(1, requests).SelectMany(i => Request((uint)i, OperationType.Read, "large", "get"))]);
        var done = await SettledAsync(() => _own.Account.ReadLedger().Operations.Read.Attempts);

        // The client asked for 50 MB. Sockets and buffers hold a few responses.
        Assert.InRange(done, 1, 200);
        for (var i = 0; i < requests; i++)
            Assert.Equal((200u, (uint)i + 1), await NextAsync(client));
        await sending;
        Assert.Equal(requests, _own.Account.ReadLedger().Operations.Read.Attempts);
    }

    [Fact]
    public async Task Write_ToASecondary_IsGone()
    {
        var secondary = _target with { ReplicaPath = _target.ReplicaPath.Replace("0p", "1s", StringComparison.Ordinal) };
        await AssertStatusAsync(
            410, FrameBuilder.Document(secondary, OperationType.Create, 1, "k", null, """{"id":"1","pk":"k"}""", "post"));
        Assert.Equal(0, _own.Account.ReadLedger().Operations.Create.Attempts);
    }

    [Fact]
    public async Task Request_WrongSignature_IsUnauthorizedAndCountedAsRejected()
    {
        var wrong = _target with { Key = Convert.ToBase64String(new byte[64]) };
        await AssertStatusAsync(401, FrameBuilder.Document(wrong, OperationType.Read, 1, "k", "1", null, "get"));
        var ledger = _own.Account.ReadLedger();
        Assert.Equal((1, 0), (ledger.RejectedRequests, ledger.Operations.Read.Attempts));
    }

    [Fact]
    public async Task Request_OldCollectionRid_IsGone() => await AssertStatusAsync(410, FrameBuilder.Document(
        _target, OperationType.Read, 1, "k", "1", null, "get", frame => frame.Text(RequestTokens.CollectionRid, "AQAAAIAAAAk=")));

    [Fact]
    public async Task Dispose_WithOpenConnections_EndsThem()
    {
        await using var client = await FrameClient.ConnectAsync(_target.Port);
        await _own.Account.DisposeAsync();
        Assert.Null(await client.ReceiveAsync());
    }

    private static async Task<(uint Status, uint Id)> NextAsync(FrameClient client)
    {
        (var status, var id, _) = (await client.ReceiveAsync())!.Value;
        return (status, id);
    }

    private static async Task<long> SettledAsync(Func<long> read)
    {
        long last = -1;
        for (var same = 0; same < 5;)
        {
            var now = read();
            same = now == last ? same + 1 : 0;
            last = now;
            await Task.Delay(100, Token);
        }

        return last;
    }

    private async Task AssertStatusAsync(uint status, byte[] frame)
    {
        await using var client = await FrameClient.ConnectAsync(_target.Port);
        await client.SendAsync(frame);
        Assert.Equal((status, 1u), await NextAsync(client));
    }

    private byte[] Create(uint request, string id) =>
        FrameBuilder.Document(_target, OperationType.Create, request, "k", null, $$"""{"id":"{{id}}","pk":"k"}""", "post");

    private byte[] Request(uint request, OperationType operation, string id, string verb) =>
        FrameBuilder.Document(_target, operation, request, "k", id, null, verb);

    private async Task AssertLoggedOnceAsync(string fault)
    {
        // The account logs after it ends the connection.
        for (var i = 0; i < 200 && _log.Lines.IsEmpty; i++)
            await Task.Delay(10, Token);
        Assert.Contains(fault, Assert.Single(_log.Lines), StringComparison.Ordinal);
    }
}
