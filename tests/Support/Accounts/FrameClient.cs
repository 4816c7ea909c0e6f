using System.Net.Security;
using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Direct;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>A connection of frames, for requests that the SDK would never send.</summary>
internal sealed class FrameClient : IAsyncDisposable
{
    private readonly TcpClient _client = new();
    private SslStream _stream = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <param name="handshake">False if the test makes its own.</param>
    public static async Task<FrameClient> ConnectAsync(int port, bool handshake = true, int? receiveBuffer = null)
    {
        var client = new FrameClient();
        if (receiveBuffer is { } size)
            client._client.ReceiveBufferSize = size;
        await client._client.ConnectAsync(IPAddress.Loopback, port, Token);
        client._stream = new SslStream(
            client._client.GetStream(), leaveInnerStreamOpen: false,
            (_, certificate, _, _) => certificate!.Subject == "CN=Simulated Cosmos DB account");
        await client._stream.AuthenticateAsClientAsync("localhost");
        if (!handshake)
            return client;
        await client.SendAsync(FrameBuilder.HandshakeRequest());
        Assert.Equal(200u, (await client.ReceiveAsync())!.Value.Status);
        return client;
    }

    public async Task SendAsync(ReadOnlyMemory<byte> bytes) => await _stream.WriteAsync(bytes, Token);

    /// <summary>The next response; null when the account ended the connection.</summary>
    public async Task<(uint Status, uint Id, byte[] Body)?> ReceiveAsync()
    {
        var head = new byte[4];
        if (!await TryFillAsync(head))
            return null;
        var frame = new byte[BinaryPrimitives.ReadInt32LittleEndian(head)];
        head.CopyTo(frame, 0);
        if (!await TryFillAsync(frame.AsMemory(4)))
            return null;
        var (id, hasBody) = Parse(frame);
        byte[] body = [];
        if (hasBody)
        {
            await TryFillAsync(head);
            body = new byte[BinaryPrimitives.ReadInt32LittleEndian(head)];
            await TryFillAsync(body);
        }

        return (BinaryPrimitives.ReadUInt32LittleEndian(frame.AsSpan(4)), id, body);
    }

    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync();
        _client.Dispose();
    }

    private static (uint Id, bool HasBody) Parse(byte[] frame)
    {
        var (id, hasBody) = (0u, false);
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            Assert.True(tokens.TryRead());
            if (tokens.Id == ResponseFrame.TransportRequestId)
                id = BinaryPrimitives.ReadUInt32LittleEndian(frame.AsSpan(tokens.Value.Start));
            if (tokens.Id == ResponseFrame.PayloadPresent)
                hasBody = frame[tokens.Value.Start] == 1;
        }

        return (id, hasBody);
    }

    private async Task<bool> TryFillAsync(Memory<byte> buffer)
    {
        try
        {
            return await _stream.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, Token) == buffer.Length;
        }
        catch (IOException)
        {
            return false;
        }
    }
}

/// <summary>Ids of the protocol's tokens.</summary>
internal static class RequestTokens
{
    public const ushort ResourceId = 0x00;
    public const ushort Authorization = 0x01;
    public const ushort PayloadPresent = 0x02;
    public const ushort Date = 0x03;
    public const ushort SessionToken = 0x05;
    public const ushort Continuation = 0x06;
    public const ushort ReplicaPath = 0x13;
    public const ushort Database = 0x15;
    public const ushort Container = 0x16;
    public const ushort Document = 0x17;
    public const ushort PartitionKey = 0x2B;
    public const ushort PartitionKeyRangeId = 0x2C;
    public const ushort CollectionRid = 0x35;
    public const ushort TransportRequestId = 0x4D;
    public const ushort BatchAtomic = 0x73;
    public const ushort ReturnPreference = 0x82;
}

/// <summary>Makes valid and invalid frames.</summary>
internal sealed class FrameBuilder
{
    private readonly List<byte> _bytes = [];

    public FrameBuilder(ResourceType resource, OperationType operation)
    {
        _bytes.AddRange(new byte[4]);
        UInt16((ushort)resource);
        UInt16((ushort)operation);
        _bytes.AddRange(new byte[16]);
    }

    public static byte[] HandshakeRequest(uint version = 1) =>
        new FrameBuilder(ResourceType.Connection, OperationType.None)
            .Token(Handshake.ProtocolVersion, TokenType.UInt32, BitConverter.GetBytes(version)).Build();

    /// <summary>A signed operation on a document.</summary>
    public static byte[] Document(
        DirectTarget target, OperationType operation, uint id, string key, string? document, string? body, string verb,
        Action<FrameBuilder>? more = null)
    {
        var frame = Signed(target, operation, id, document, verb).Text(RequestTokens.PartitionKey, $"[\"{key}\"]");
        more?.Invoke(frame);
        if (body is not null)
            frame.Token(RequestTokens.PayloadPresent, TokenType.Byte, [1]);
        return frame.Build(body is null ? null : Encoding.UTF8.GetBytes(body));
    }

    /// <summary>A signed operation without a partition key.</summary>
    public static FrameBuilder Signed(DirectTarget target, OperationType operation, uint id, string? document, string verb)
    {
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        var link = $"dbs/{target.Database}/colls/{target.Container}" + (document is null ? "" : $"/docs/{document}");
        var frame = new FrameBuilder(ResourceType.Document, operation)
            .Text(RequestTokens.Authorization, WireClient.Sign(target.Key, verb, "docs", link, date))
            .Text(RequestTokens.Date, date)
            .Text(RequestTokens.ReplicaPath, target.ReplicaPath)
            .Text(RequestTokens.Database, target.Database)
            .Text(RequestTokens.Container, target.Container)
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(id));
        return document is null ? frame : frame.Text(RequestTokens.Document, document);
    }

    public FrameBuilder Token(ushort id, TokenType type, byte[] value)
    {
        UInt16(id);
        _bytes.Add((byte)type);
        _bytes.AddRange(value);
        return this;
    }

    public FrameBuilder Text(ushort id, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        return Token(id, TokenType.String, [.. BitConverter.GetBytes((ushort)bytes.Length), .. bytes]);
    }

    public byte[] Build(byte[]? body = null)
    {
        byte[] frame = body is null ? [.. _bytes] : [.. _bytes, .. BitConverter.GetBytes(body.Length), .. body];
        BinaryPrimitives.WriteInt32LittleEndian(frame, _bytes.Count);
        return frame;
    }

    private void UInt16(ushort value) => _bytes.AddRange(BitConverter.GetBytes(value));
}

/// <summary>Where the primary of a container's first partition is, and what a request to it needs.</summary>
internal sealed record DirectTarget(int Port, string ReplicaPath, string Database, string Container, string Key)
{
    public static async Task<DirectTarget> FindAsync(SimulatedAccount account, Container container)
    {
        var link = (await container.PropertiesAsync()).SelfLink.Split('/');
        var feed = Uri.EscapeDataString($"dbs/{link[1]}/colls/{link[3]}/docs");
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(
            HttpMethod.Get, $"{account.HttpEndpoint}/addresses/?$resolveFor={feed}&$filter=protocol%20eq%20rntbd&$partitionKeyRangeIds=0");
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        request.Headers.Add("x-ms-date", date);
        request.Headers.TryAddWithoutValidation(
            "authorization", WireClient.Sign(account.Key, "get", "docs", link[3].ToLowerInvariant(), date));
        using var response = await http.SendAsync(request, TestContext.Current.CancellationToken);
        using var addresses = JsonDocument.Parse(
            await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        var primary = addresses.RootElement.GetProperty("Addresss").EnumerateArray().Single(
            address => address.GetProperty("isPrimary").GetBoolean());
        var uri = new Uri(primary.GetProperty("physcialUri").GetString()!);
        return new DirectTarget(uri.Port, uri.AbsolutePath, container.Database.Id, container.Id, account.Key);
    }
}
