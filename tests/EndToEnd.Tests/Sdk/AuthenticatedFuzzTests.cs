using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>
/// Sends frames with a valid signature and invalid content. <c>SCALEOUT_FUZZ_FRAMES=100000</c> sends as many.
/// </summary>
public sealed class AuthenticatedFuzzTests : SdkTests
{
    private const int FramesAtOnce = 100;
    private static readonly int Frames =
        int.Parse(Environment.GetEnvironmentVariable("SCALEOUT_FUZZ_FRAMES") ?? "10000", CultureInfo.InvariantCulture);

    private static readonly (OperationType Operation, string Verb, bool HasDocument)[] Operations =
    [
        (OperationType.Create, "post", false), (OperationType.Upsert, "post", false), (OperationType.Replace, "put", true),
        (OperationType.Patch, "patch", true), (OperationType.Read, "get", true), (OperationType.Delete, "delete", true),
        (OperationType.Head, "head", true), (OperationType.Query, "post", false), (OperationType.ReadFeed, "get", false),
        (OperationType.Batch, "post", false),
    ];

    private static readonly string[] Keys = ["""["k"]""", """["k","u",1]""", """["k","u"]""", "[{}]", "[]", "[null]", "[1e308]"];
    private static readonly string[] Ids = ["1", "2", "ü", "a b", "x\\y", "\t", "", new('i', 2_000)];

    private static readonly string[] Texts =
    [
        """{"id":"1","pk":"k","a":"k","b":"u","c":1,"mail":"m","ttl":100}""",
        """{"id":"2","pk":"k","a":"k","b":"u","c":1,"n":[1,{"x":"\u00e4"}],"ttl":-1}""",
        """{"operations":[{"op":"incr","path":"/c","value":1},{"op":"add","path":"/n/-","value":{}}],"condition":"from c where c.c=1"}""",
        """{"operations":[{"op":"move","from":"/a","path":"/n/0/x"},{"op":"remove","path":"/~0~1"}]}""",
        """{"query":"SELECT * FROM c WHERE c.a = @a","parameters":[{"name":"@a","value":"k"}]}""",
        """{"query":"SELECT VALUE COUNT(1) FROM c"}""",
        """[{"operationType":"Create","partitionKey":"[\"k\"]","resourceBody":{"id":"1","pk":"k"}},{"operationType":"Read","id":"1"}]""",
    ];

    private static readonly byte[][] Bodies =
    [
        .. Texts.Select(Encoding.UTF8.GetBytes),
        BatchBodies.Write(
            [(0, """["k"]""", null, """{"id":"1","pk":"k"}"""), (1, null, "1", """{"operations":[]}"""), (2, null, "1", null)]),
        [],
    ];

    private static readonly (RequestField Field, string[] Values)[] Fields =
    [
        (RequestField.SessionToken, ["0:-1#1", "0:x", "0:-1#99999999999999999999", ",,#", "0:-1#5#1=2"]),
        (RequestField.Continuation, ["+RID:~0#1", "+RID:~9#1", "{}", "\0"]),
        (RequestField.PartitionKeyRangeId, ["0", "7", "-1", "x"]),
        (RequestField.StartPosition, ["", "3F", "zz", "05C1"]),
        (RequestField.EndPosition, ["FF", "", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF1FFFFFFF"]),
        (RequestField.IfMatch, ["*", "\"x\"", ""]),
        (RequestField.ContainerRid, ["AAAA", "\u00ff"]),
        (RequestField.ChangeFeed, ["Incremental feed"]),
    ];

    [Fact]
    public async Task Frames_SignedNonsense_EachGetAResponseBelow500()
    {
        var log = new RecordingLogger();
        await using var account = await AccountClients.StartAsync(new AccountSettings { PhysicalPartitions = 1, Logger = log });
        using var client = AccountClients.Create(account, ConnectionMode.Gateway);
        DirectTarget[] targets =
        [
            await TargetAsync(new ContainerProperties { PartitionKeyPath = "/pk" }),
            await TargetAsync(new ContainerProperties
            {
                PartitionKeyPaths = ["/a", "/b", "/c"], DefaultTimeToLive = 5,
                UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { new UniqueKey { Paths = { "/mail", "/n" } } } },
            }),
        ];
        var statuses = new SortedDictionary<uint, int>();
        var random = new Random(20_261_122);

        for (var sent = 0; sent < Frames; sent += FramesAtOnce)
        {
            var target = targets[random.Next(targets.Length)];
            await using var connection = await FrameClient.ConnectAsync(target.Port);
            var pending = new Dictionary<uint, string>();
            for (uint id = 1; id <= FramesAtOnce; id++)
            {
                var frame = Frame(target, id, random);
                pending[id] = Convert.ToHexString(frame);
                await connection.SendAsync(frame);
            }

            while (pending.Count > 0)
            {
                (var status, var id, var body) = await connection.ReceiveAsync()
                    ?? throw new InvalidOperationException($"The account ended the connection: {log.Lines.LastOrDefault()}");
                Assert.True(pending.Remove(id, out var frame));
                Assert.True(status is >= 200 and < 500 and not 401, $"{status} {Encoding.UTF8.GetString(body)} for {frame}");
                Assert.True(status < 300 || status == 304 || body.Length > 0, $"{status} without a body for {frame}");
                statuses[status] = statuses.GetValueOrDefault(status) + 1;
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{statuses.Values.Sum()} frames: {string.Join(", ", statuses.Select(one => $"{one.Key} x {one.Value}"))}");
        Assert.Empty(log.Lines);
        Assert.Empty(new uint[] { 200, 201, 204, 207, 400, 404, 409 }.Except(statuses.Keys));

        async Task<DirectTarget> TargetAsync(ContainerProperties properties) =>
            await DirectTarget.FindAsync(account, await AccountClients.CreateContainerAsync(client, properties: properties));
    }

    private static byte[] Frame(DirectTarget target, uint id, Random random)
    {
        (var operation, var verb, var hasDocument) = Pick(Operations);
        var document = Pick(Ids);
        var frame = FrameBuilder.Signed(target, operation, id, hasDocument && document.Length > 0 ? document : null, verb);
        if (hasDocument && document.Length == 0)
            frame.Text(RequestTokens.Document, "");
        if (random.Next(8) != 0)
            AddBytes(RequestTokens.PartitionKey, Mutated(Encoding.UTF8.GetBytes(Pick(Keys)), random, random.Next(6) == 0));
        if (random.Next(2) == 0)
            frame.Token(RequestTokens.BatchAtomic, TokenType.Byte, [1]);
        foreach ((var field, var values) in Fields)
        {
            if (random.Next(10) == 0)
                AddBytes(TokenOf(field), Mutated(Encoding.UTF8.GetBytes(Pick(values)), random, random.Next(3) == 0));
        }

        if (random.Next(10) == 0)
            frame.Token(TokenOf(RequestField.PageSize), TokenType.UInt32, BitConverter.GetBytes(random.Next(-3, 3)));
        frame.Token(RequestTokens.PayloadPresent, TokenType.Byte, [1]);
        return frame.Build(Mutated(Pick(Bodies), random, random.Next(2) == 0));

        T Pick<T>(T[] all) => all[random.Next(all.Length)];

        void AddBytes(ushort token, byte[] value) =>
            frame.Token(token, TokenType.String, [.. BitConverter.GetBytes((ushort)value.Length), .. value]);
    }

    private static ushort TokenOf(RequestField field) => RequestFields.All.First(name => name.Field == field && name.Token != 0).Token;

    private static byte[] Mutated(byte[] value, Random random, bool changes)
    {
        if (!changes || value.Length == 0)
            return value;
        byte[] mutated = [.. value];
        for (var i = random.Next(1, 4); i > 0; i--)
            mutated[random.Next(mutated.Length)] = (byte)random.Next(256);
        return random.Next(5) == 0 ? mutated[..random.Next(mutated.Length)] : mutated;
    }
}
