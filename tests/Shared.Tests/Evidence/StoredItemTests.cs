using System.Text.Json.Serialization;

namespace ScaleOut.Tests.Shared.Evidence;

public sealed class StoredItemTests
{
    private const string Item = "test/start.json";

    private static readonly StartInstant Value = new(DateTimeOffset.UnixEpoch, 4);

    private static byte[] Content => StoredItem.Write(Item, Value);

    [Fact]
    public void Read_WhatWasWritten_IsTheValue()
    {
        Assert.Equal(Value, StoredItem.Read<StartInstant>(Item, Content));
        var indented = StoredItem.Write(Item, Value, ScaleOutJson.Indented);
        Assert.Equal(Value, StoredItem.Read<StartInstant>(Item, indented, ScaleOutJson.Indented));
        Assert.Equal(Value, StoredItem.Read<StartInstant>(item: null, Content));
    }

    [Fact]
    public void Write_Value_BeginsWithFormatItemAndChecksum()
    {
        var fields = JsonNode.Parse(StoredItem.Write(Item, Value, ScaleOutJson.Indented))!.AsObject();
        Assert.Equal(["formatVersion", "item", "checksum", "at", "ready"], fields.Select(field => field.Key));
        Assert.Equal((StoredItem.FormatVersion, Item), ((int)fields["formatVersion"]!, (string)fields["item"]!));
    }

    /// <summary>Items that were stored before StoredItem wrote with a JSON writer are read, and are written with the same bytes.</summary>
    [Fact]
    public void Write_ValueThatWasStoredBefore_HasTheSameBytes()
    {
        const string compact =
            """{"formatVersion":4,"item":"test/sample.json","checksum":"sha256:"""
            + """ddfa2d98e233fc9c817622fba614b391391d565aba29ec2504ce12adde3abc68","text":"\"Ä\" <&> \uD83D\uDE00\n","number":0.1,"ra"""
            + """w":{ "a":1.50, "b":"\u00e9" },"list":[1,2],"nothing":[],"inner":{"low":1,"high":2},"empty":null}""";
        const string indented = """
            {
              "formatVersion": 4,
              "item": "test/sample.json",
              "checksum": "sha256:e1e2bc5695ae1e08bc187576c3c01760aff2ad8e5f180c2cd3a0f1a18e872605",
              "text": "\"Ä\" <&> \uD83D\uDE00\n",
              "number": 0.1,
              "raw": { "a":1.50, "b":"\u00e9" },
              "list": [
                1,
                2
              ],
              "nothing": [],
              "inner": {
                "low": 1,
                "high": 2
              },
              "empty": null
            }
            """;

        AssertStored(compact, ScaleOutJson.Compact);
        AssertStored(indented, ScaleOutJson.Indented);
    }

    [Fact]
    public void Open_AnyBitChanged_IsNoticed()
    {
        var content = Content;
        for (var at = 0; at < content.Length; at++)
        {
            foreach (var other in Enumerable.Range(0, 8).Select(bit => (byte)(content[at] ^ (1 << bit))))
            {
                byte[] changed = [.. content[..at], other, .. content[(at + 1)..]];
                Assert.Throws<EvidenceException>(() => StoredItem.Open(Item, changed));
            }
        }
    }

    [Fact]
    public void Open_AnyPartMissingOrAdded_IsDamaged()
    {
        var content = Content;
        for (var at = 0; at < content.Length; at++)
        {
            AssertDamaged(content[..at]);
            AssertDamaged([.. content[..at], .. content[(at + 1)..]]);
            AssertDamaged([.. content[..at], (byte)' ', .. content[at..]]);
        }

        AssertDamaged([.. content, (byte)'\n']);
    }

    [Theory]
    [InlineData("", "it is empty")]
    [InlineData("\0\0\0", "it holds nothing but zeros")]
    [InlineData("{\"formatVersion\":4,\"item\":\"test/sta", "it is no valid JSON, as when a file was cut short (it has 35 bytes)")]
    [InlineData("[]", "its first fields are not those of an item")]
    public void Open_NoItem_SaysWhatIsThere(string text, string reason)
    {
        var error = Assert.Throws<EvidenceException>(() => StoredItem.Open(Item, Encoding.UTF8.GetBytes(text)));
        Assert.Equal((EvidenceProblem.Damaged, Item, reason), (error.Problem, error.Item, error.Reason));
        Assert.StartsWith($"{Item} is damaged: {reason}. ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_CopyOfAnotherItem_NamesTheOther() => Assert.Equal(
        "it is a copy of test/start.json",
        Assert.Throws<EvidenceException>(() => StoredItem.Open("other/start.json", Content)).Reason);

    [Fact]
    public void Open_ContentWithoutVersion_WasWrittenByAnOlderVersion()
    {
        var error = Assert.Throws<EvidenceException>(() => StoredItem.Open(Item, """{"at":"1970-01-01T00:00:00+00:00","ready":4}"""u8));
        Assert.Equal(EvidenceProblem.OlderFormat, error.Problem);
        Assert.Contains(
            "test/start.json cannot be read: it was written by an older version of this program (format 1; this version reads format 4)",
            error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3, EvidenceProblem.OlderFormat)]
    [InlineData(5, EvidenceProblem.NewerFormat)]
    public void Open_WholeItemOfAnotherFormat_SaysWhichVersionWroteIt(int version, EvidenceProblem expected)
    {
        var content = ItemText.WithRightChecksum(
            $$"""{"formatVersion":{{version}},"item":"{{Item}}","checksum":"sha256:","at":"1970-01-01T00:00:00+00:00","ready":4}""");
        Assert.Equal(expected, Assert.Throws<EvidenceException>(() => StoredItem.Open(Item, content)).Problem);
        Assert.Equal(expected, Assert.Throws<EvidenceException>(() => StoredItem.Check(Item, content)).Problem);
    }

    [Theory]
    [InlineData(" \r\n", null)]
    [InlineData("}", EvidenceProblem.Contradiction)]
    [InlineData(" {}", EvidenceProblem.Contradiction)]
    public void Read_TextAfterTheValueWithTheRightChecksum_IsRejectedUnlessItIsWhiteSpace(string after, EvidenceProblem? problem)
    {
        var content = ItemText.WithRightChecksum(Encoding.UTF8.GetString(Content) + after);
        if (problem is null)
            Assert.Equal(Value, StoredItem.Read<StartInstant>(Item, content));
        else
            Assert.Equal(problem, Assert.Throws<EvidenceException>(() => StoredItem.Read<StartInstant>(Item, content)).Problem);
    }

    /// <summary>Attributes of the properties have the same effect as when the value is serialized alone.</summary>
    [Fact]
    public void Write_ValueWithAttributes_HasTheFieldsOfTheSerializer()
    {
        AssertSame(new Attributed { Name = "a", Skipped = 1, Left = 3 });
        AssertSame(new Attributed { Left = null, Zero = 2 });
        AssertSame(new ContainerSpec());
        AssertSame(new ContainerSpec { Name = "mine" });

        static void AssertSame<T>(T value) => Assert.Equal(
            JsonSerializer.Serialize(value, ScaleOutJson.Compact),
            Encoding.UTF8.GetString(StoredItem.Open(Item, StoredItem.Write(Item, value))));
    }

    [Fact]
    public void Read_WholeItemOfAnotherKind_ContradictsItself()
    {
        var error = Assert.Throws<EvidenceException>(() => StoredItem.Read<PreparedContainer>(Item, Content));
        Assert.Equal((EvidenceProblem.Contradiction, Item), (error.Problem, error.Item));
    }

    [Fact]
    public void Write_ValueWithoutFields_IsRejected()
    {
        Assert.Throws<ArgumentException>(() => StoredItem.Write(Item, new object()));
        // A type with fields, of which the value writes none.
        Assert.Throws<ArgumentException>(() => StoredItem.Write(Item, default(Counts)));
    }

    [Fact]
    public void RemoveHead_ItemThatIsUsedAsAnInput_LeavesTheValue()
    {
        var item = JsonNode.Parse(Content)!.AsObject();
        var own = JsonNode.Parse("""{"item":"a","documents":5}""")!.AsObject();

        StoredItem.RemoveHead(item);
        StoredItem.RemoveHead(own);

        Assert.Equal(["at", "ready"], item.Select(field => field.Key));
        Assert.Equal(["item", "documents"], own.Select(field => field.Key));
    }

    private static void AssertStored(string stored, JsonSerializerOptions options)
    {
        const string item = "test/sample.json";
        var value = StoredItem.Read<StoredSample>(item, Encoding.UTF8.GetBytes(stored), options);
        // Reading takes the white space out of raw JSON.
        var written = StoredItem.Write(item, value with { Raw = """{ "a":1.50, "b":"\u00e9" }""" }, options);

        Assert.Equal(stored, Encoding.UTF8.GetString(written));
    }

    private static void AssertDamaged(byte[] content) =>
        Assert.Equal(EvidenceProblem.Damaged, Assert.Throws<EvidenceException>(() => StoredItem.Open(Item, content)).Problem);

    private sealed record StoredSample(
        string Text, double Number, [property: JsonConverter(typeof(RawJsonConverter))] string Raw, int[] List, int[] Nothing,
        StoredPair Inner, string? Empty);

    private sealed record StoredPair(int Low, int High);

    private sealed record Attributed
    {
        [JsonPropertyName("other")]
        public string? Name { get; init; }

        [JsonIgnore]
        public int Skipped { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public int? Left { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
        public int Zero { get; init; }

        [JsonPropertyOrder(-1), JsonNumberHandling(JsonNumberHandling.WriteAsString)]
        public int First { get; init; }
    }
}
