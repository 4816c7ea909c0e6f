using ScaleOut.Simulator.Engine.BinaryJson;

namespace ScaleOut.Tests.Simulator.Engine.BinaryJson;

/// <summary>Reads the SDK's binary form as JSON and rejects everything else.</summary>
public sealed class BinaryDocumentTests
{
    private const int MaxBytes = 1 << 20;

    [Theory]
    [InlineData("""{"id":"1","name":"","value":null,"type":true,"_ts":false}""")]
    [InlineData("""[0,31,32,-1,255,256,-32768,32767,65536,-2147483648,4294967296,9007199254740993,1.5,-1e300]""")]
    [InlineData("""[[],{},[1],{"a":[[[]]]}]""")]
    [InlineData("""["3f2504e0-4f89-11d3-9a0c-0305e82c3301","3F2504E0-4F89-11D3-9A0C-0305E82C3301"]""")]
    [InlineData("""["\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\""]""")]
    [InlineData("""["0123456789abcdef0123","0123456789ABCDEF0123456","2026-11-22T16:39:35.1234567Z","2026-11-22 16:39:35.123"]""")]
    [InlineData("""["TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1dCBieSB0aGlz"]""")]
    [InlineData("""["_-4qqv_-4qqv_-4qqv_-4qqv_-4qqv_-4qqv_-4qqv8","YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU2Nzg5YQ=="]""")]
    [InlineData("""["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbb","abcdefghijklmnopqrstuvwxyzzyxwvutsrqponmlkjihg"]""")]
    [InlineData("""["grün, 漢字, 😀","a\"b\\c\n\u0001"]""")]
    [InlineData("""{"repeated name":"repeated text","other":{"repeated name":"repeated text"},"list":["repeated text","repeated name"]}""")]
    public void ToText_WhatTheSdkWrites_IsTheSameJson(string json) => AssertSame(json);

    [Fact]
    public void ToText_LongText_IsTheSame()
    {
        foreach (var length in new[] { 63, 64, 87, 88, 255, 256, 300, 65_535, 65_536, 70_000 })
        {
            AssertSame(JsonSerializer.Serialize(new string('é', length)));
            AssertSame(JsonSerializer.Serialize(string.Concat(Enumerable.Range(0, length).Select(i => (char)('!' + (i * 7 % 90))))));
            AssertSame(JsonSerializer.Serialize(Enumerable.Range(0, length)));
        }
    }

    [Fact]
    public void ToText_AnyDocument_IsTheSameJson()
    {
        var random = new Random(20_261_122);
        for (var i = 0; i < 2_000; i++)
            AssertSame(Value(random, depth: 0)?.ToJsonString() ?? "null");
    }

    [Theory]
    [InlineData("F00003010203", "no number of the binary type 0x00")]
    [InlineData("D300112233445566778899AABBCCDDEEFF", "no value of the binary type 0xD3")]
    [InlineData("EA0AE0", "extends past the end")]
    [InlineData("C301", "A reference is to no text.")]
    [InlineData("E204C303C301", "A reference is to no text.")]
    [InlineData("CC000000000000F07F", "infinity")]
    [InlineData("82FFFE", "UTF-8")]
    [InlineData("D0D0", "more than one value")]
    [InlineData("E9D0D0", "The name of a property is no text.")]
    public void ToText_Malformed_SaysWhy(string value, string reason)
    {
        var error = Assert.ThrowsAny<JsonException>(() => Text([0x80, .. Convert.FromHexString(value)]));
        Assert.Contains(reason, error.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("F0D7020AFF", "[10,255]")]
    [InlineData("F1D902000A00F6FF", "[10,-10]")]
    [InlineData("F0CD010000C03F", "[1.5]")]
    [InlineData("F2F0D802020102FDFE", "[[1,2],[-3,-2]]")]
    [InlineData("C7FFFFFFFFFFFFFFFF", "18446744073709551615")]
    public void ToText_NumbersOfOneType_AreTheirArray(string value, string json) =>
        Assert.Equal(json, Text([0x80, .. Convert.FromHexString(value)]));

    [Fact]
    public void ToText_DocumentsWithAnyBytesChangedOrCutOff_AreReadOrRejected()
    {
        var random = new Random(20_261_123);
        for (var i = 0; i < 20_000; i++)
        {
            var bytes = SdkBinaryWriter.Write(Value(random, depth: 2)?.ToJsonString() ?? "null");
            for (var changes = random.Next(1, 4); changes > 0 && bytes.Length > 1; changes--)
                bytes[random.Next(1, bytes.Length)] = (byte)random.Next(256);
            try
            {
                using var read = JsonDocument.Parse(BinaryDocument.ToText(bytes.AsSpan(..random.Next(1, bytes.Length + 1)), MaxBytes));
            }
            catch (JsonException)
            {
                // Rejected.
            }
        }
    }

    [Fact]
    public void ToText_ReferencesToALongText_EndsWhenTheTextIsTooLong()
    {
        // A text of 60,000 bytes, and 20,000 references to it: 1.2 GB of JSON.
        byte[] text = [0xC1, 0x60, 0xEA, .. Enumerable.Repeat((byte)'a', 60_000)];
        var references = Enumerable.Repeat<byte[]>([0xC3, 0x06], 20_000).SelectMany(reference => reference);
        byte[] items = [.. text, .. references];
        byte[] document = [0x80, 0xE4, .. BitConverter.GetBytes(items.Length), .. items];
        Assert.InRange(BinaryDocument.ToText(document, MaxBytes).Length, MaxBytes, 2 * MaxBytes);
    }

    private static void AssertSame(string json)
    {
        var binary = SdkBinaryWriter.Write(json);
        Assert.True(BinaryDocument.Is(binary), json);
        using var expected = JsonDocument.Parse(json);
        using var actual = JsonDocument.Parse(Text(binary));
        Assert.True(JsonElement.DeepEquals(expected.RootElement, actual.RootElement), $"{json}\n{actual.RootElement}");
    }

    private static string Text(ReadOnlySpan<byte> binary) => Encoding.UTF8.GetString(BinaryDocument.ToText(binary, MaxBytes).Span);

    private static JsonNode? Value(Random random, int depth) => random.Next(depth > 4 ? 5 : 7) switch
    {
        0 => null,
        1 => random.Next(2) == 0,
        2 => JsonValue.Create(random.NextInt64(-1 << random.Next(31), 1L << random.Next(50))),
        3 => JsonValue.Create(Math.Round(random.NextDouble() * 1e6, 3)),
        4 => JsonValue.Create(TextOf(random)),
        5 => new JsonArray([.. Enumerable.Range(0, random.Next(6)).Select(_ => Value(random, depth + 1))]),
        _ => new JsonObject(Enumerable.Range(0, random.Next(6))
            .Select(index => KeyValuePair.Create(index == 0 ? "id" : $"{TextOf(random)}{index}", Value(random, depth + 1)))),
    };

    private static string TextOf(Random random)
    {
        const string Characters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_ .:+/é漢\"\\";
        ReadOnlySpan<int> alphabets = [10, 16, 36, 62, 64, Characters.Length];
        var alphabet = alphabets[random.Next(alphabets.Length)];
        return random.Next(6) switch
        {
            0 => new Guid(Enumerable.Range(0, 16).Select(_ => (byte)random.Next(256)).ToArray()).ToString(),
            1 => DateTime.UnixEpoch.AddSeconds(random.Next()).ToString("O", CultureInfo.InvariantCulture),
            2 => Convert.ToBase64String(Enumerable.Range(0, random.Next(1, 90)).Select(_ => (byte)random.Next(256)).ToArray()),
            _ => string.Concat(Enumerable.Range(0, random.Next(100)).Select(_ => Characters[random.Next(alphabet)])),
        };
    }
}
