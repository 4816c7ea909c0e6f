using System.Net.Security;
using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Direct;

namespace ScaleOut.Tests.Simulator.Direct;

/// <summary>A connection of frames, for requests that the SDK would never send.</summary>
internal sealed class FrameClient : IAsyncDisposable
{
    private readonly TcpClient _client = new();
    private SslStream _stream = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>Opens the connection; with the handshake unless the test makes its own.</summary>
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
        if (handshake)
        {
            await client.SendAsync(FrameBuilder.HandshakeRequest());
            Assert.Equal(200u, (await client.ReceiveAsync())!.Value.Status);
        }

        return client;
    }

    public async Task SendAsync(ReadOnlyMemory<byte> bytes) => await _stream.WriteAsync(bytes, Token);

    /// <summary>The next response; null when the account ended the connection.</summary>
    public async Task<(uint Status, uint Id, byte[] Body)?> ReceiveAsync()
    {
        byte[] head = new byte[4];
        if (!await TryFillAsync(head))
            return null;
        byte[] frame = new byte[BinaryPrimitives.ReadInt32LittleEndian(head)];
        head.CopyTo(frame, 0);
        if (!await TryFillAsync(frame.AsMemory(4)))
            return null;
        uint id = 0;
        bool hasBody = false;
        var tokens = new List<(ushort Id, TextRange Range)>();
        Parse(frame, tokens);
        foreach ((ushort token, TextRange range) in tokens)
        {
            if (token == ResponseFrame.TransportRequestId)
                id = BinaryPrimitives.ReadUInt32LittleEndian(frame.AsSpan(range.Start));
            if (token == ResponseFrame.PayloadPresent)
                hasBody = frame[range.Start] == 1;
        }

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

    private static void Parse(byte[] frame, List<(ushort Id, TextRange Range)> found)
    {
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            Assert.True(tokens.TryRead());
            found.Add((tokens.Id, tokens.Value));
        }
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

/// <summary>Ids of the tokens that frames of the tests carry, as the protocol numbers them.</summary>
internal static class RequestTokens
{
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

/// <summary>Makes frames as clients send them, and ones that no client sends.</summary>
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
        string date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        string link = $"dbs/{target.Database}/colls/{target.Container}" + (document is null ? "" : $"/docs/{document}");
        string text = $"{verb}\ndocs\n{link}\n{date.ToLowerInvariant()}\n\n";
        string signature = Convert.ToBase64String(HMACSHA256.HashData(Convert.FromBase64String(target.Key), Encoding.UTF8.GetBytes(text)));
        FrameBuilder frame = new FrameBuilder(ResourceType.Document, operation)
            .Text(RequestTokens.Authorization, Uri.EscapeDataString($"type=master&ver=1.0&sig={signature}"))
            .Text(RequestTokens.Date, date)
            .Text(RequestTokens.ReplicaPath, target.ReplicaPath)
            .Text(RequestTokens.Database, target.Database)
            .Text(RequestTokens.Container, target.Container)
            .Text(RequestTokens.PartitionKey, $"[\"{key}\"]")
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(id));
        if (document is not null)
            frame.Text(RequestTokens.Document, document);
        more?.Invoke(frame);
        if (body is not null)
            frame.Token(RequestTokens.PayloadPresent, TokenType.Byte, [1]);
        return frame.Build(body is null ? null : Encoding.UTF8.GetBytes(body));
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
        byte[] bytes = Encoding.UTF8.GetBytes(text);
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
        ContainerProperties properties = await container.ReadContainerAsync(cancellationToken: TestContext.Current.CancellationToken);
        using var http = new HttpClient();
        string rid = properties.SelfLink.Split('/')[3];
        string feed = Uri.EscapeDataString($"dbs/{properties.SelfLink.Split('/')[1]}/colls/{rid}/docs");
        using var request = new HttpRequestMessage(
            HttpMethod.Get, $"{account.HttpEndpoint}/addresses/?$resolveFor={feed}&$filter=protocol%20eq%20rntbd&$partitionKeyRangeIds=0");
        string date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        byte[] signature = HMACSHA256.HashData(
            Convert.FromBase64String(account.Key),
            Encoding.UTF8.GetBytes($"get\ndocs\n{rid.ToLowerInvariant()}\n{date.ToLowerInvariant()}\n\n"));
        request.Headers.Add("x-ms-date", date);
        request.Headers.TryAddWithoutValidation(
            "authorization", Uri.EscapeDataString($"type=master&ver=1.0&sig={Convert.ToBase64String(signature)}"));
        using HttpResponseMessage response = await http.SendAsync(request, TestContext.Current.CancellationToken);
        using JsonDocument addresses = JsonDocument.Parse(
            await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        JsonElement primary = addresses.RootElement.GetProperty("Addresss").EnumerateArray().Single(
            address => address.GetProperty("isPrimary").GetBoolean());
        var uri = new Uri(primary.GetProperty("physcialUri").GetString()!);
        return new DirectTarget(uri.Port, uri.AbsolutePath, container.Database.Id, container.Id, account.Key);
    }
}
