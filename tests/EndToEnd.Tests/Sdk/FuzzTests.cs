using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class FuzzTests : SdkTests
{
    private const int Frames = 100_000;
    private const int Connections = 4;
    private const int FramesPerConnection = 200;
    private const int FramesAtOnce = 10;
    private int _written;

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Frames_Mutated_HarmNoOtherConnectionAndLeaveNothingBehind()
    {
        var log = new RecordingLogger();
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Direct, new AccountSettings { PhysicalPartitions = 1, Logger = log });
        var account = own.Account;
        var target = await DirectTarget.FindAsync(account, own.Container);
        var seeds = Seeds(target);
        using var done = new CancellationTokenSource();
        var undisturbed = WriteUntilAsync(own.Container, done.Token);
        var open = account.OpenDirectConnections;

        // The account ignores frames behind a malformed one, so only those that it took count.
        long Taken() => account.ReadLedger().WireRequests - Volatile.Read(ref _written) + log.Lines.Count;
        await Task.WhenAll(Enumerable.Range(0, Connections).Select(
            seed => Task.Run(() => SendMutatedAsync(target.Port, seeds, seed, () => Taken() < Frames), Token)));

        await done.CancelAsync();
        await undisturbed;
        Assert.True(_written > 0);
        Assert.True(log.Lines.Count > 1_000, $"only {log.Lines.Count} connections were ended");
        Assert.DoesNotContain(log.Lines, line => line.Contains("could not be processed", StringComparison.Ordinal));
        await using var after = await FrameClient.ConnectAsync(target.Port);
        await after.SendAsync(seeds[0]);
        Assert.NotNull(await after.ReceiveAsync());
        // The connections of the good client, which may have opened a few more, and the last one.
        var most = open + 5;
        for (var i = 0; i < 200 && account.OpenDirectConnections > most; i++)
            await Task.Delay(50, Token);
        Assert.InRange(account.OpenDirectConnections, 1, most);
    }

    private static byte[][] Seeds(DirectTarget target) =>
    [
        FrameBuilder.Document(target, OperationType.Create, 1, "k", null, """{"id":"fuzz","pk":"k"}""", "post"),
        FrameBuilder.Document(
            target, OperationType.Read, 2, "k", "fuzz", null, "get", frame => frame.Text(RequestTokens.SessionToken, "0:-1#1")),
        FrameBuilder.Document(
            target, OperationType.Query, 3, "k", null, """{"query":"SELECT * FROM c","parameters":[]}""", "post",
            frame => frame.Text(RequestTokens.Continuation, "+RID:~0#1").Text(RequestTokens.PartitionKeyRangeId, "0")),
        FrameBuilder.Document(
            target, OperationType.Batch, 4, "k", null, "\u0081 no batch", "post",
            frame => frame.Token(RequestTokens.BatchAtomic, TokenType.Byte, [1])),
        new FrameBuilder(ResourceType.Database, OperationType.Read).Text(RequestTokens.Database, target.Database).Build(),
        FrameBuilder.HandshakeRequest(),
    ];

    /// <summary>Sends mutated frames, on a new connection whenever the account ends one.</summary>
    private static async Task SendMutatedAsync(int port, byte[][] seeds, int seed, Func<bool> goesOn)
    {
        var random = new Random(seed);
        while (goesOn())
        {
            await using var client = await FrameClient.ConnectAsync(port);
            var draining = DrainAsync(client);
            try
            {
                // A larger length swallows the following frames, so each connection gets a limited number.
                for (var i = 0; i < FramesPerConnection && !draining.IsCompleted; i += FramesAtOnce)
                {
                    var frames = Enumerable.Range(0, FramesAtOnce).SelectMany(_ => Mutate(seeds[random.Next(seeds.Length)], random));
                    await client.SendAsync((byte[])[.. frames]);
                }
            }
            catch (IOException)
            {
                // The account ended the connection.
            }
        }
    }

    private static async Task DrainAsync(FrameClient client)
    {
        try
        {
            while (await client.ReceiveAsync() is not null)
            {
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    /// <summary>One frame in forty may be malformed and end its connection; the others are well-formed nonsense.</summary>
    private static byte[] Mutate(byte[] frame, Random random)
    {
        var mayBeMalformed = random.Next(40) == 0;
        var header = BinaryPrimitives.ReadInt32LittleEndian(frame);
        while (true)
        {
            byte[] mutated = [.. frame];
            for (var changes = random.Next(1, 4); changes > 0; changes--)
            {
                var at = random.Next(mutated.Length);
                mutated[at] = random.Next(3) switch
                {
                    0 => (byte)random.Next(256),
                    1 => (byte)(mutated[at] ^ (1 << random.Next(8))),
                    _ => random.Next(2) == 0 ? (byte)0 : (byte)255,
                };
            }

            if (mayBeMalformed)
                return random.Next(4) == 0 ? mutated[..random.Next(1, mutated.Length)] : mutated;
            var body = mutated.Length - header;
            var keepsLengths = BinaryPrimitives.ReadInt32LittleEndian(mutated) == header
                && (body == 0 || BinaryPrimitives.ReadInt32LittleEndian(mutated.AsSpan(header)) == body - sizeof(int));
            var request = new AccountRequest(ScaleOut.Specs.ConnectionMode.Direct);
            if (keepsLengths && RequestFrame.TryRead(mutated.AsSpan(0, header), request, out _)
                && request.Has(RequestField.PayloadPresent) == body > 0)
                return mutated;
        }
    }

    private async Task WriteUntilAsync(Container container, CancellationToken done)
    {
        while (!done.IsCancellationRequested)
        {
            var response = await container.AddAsync(new Item { Id = $"good-{_written}", Key = "good" });
            Assert.Equal(HttpStatusCode.Created, response.StatusCode);
            Interlocked.Increment(ref _written);
        }
    }
}
