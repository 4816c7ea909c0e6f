namespace ScaleOut.Tests.Shared.Charges;

public sealed class IndexEntriesTests
{
    /// <summary>Documents of the public recording, with the entries that their charges show.</summary>
    [Theory]
    [InlineData("""{"id":"d1","pk":"a"}""", 5)]
    [InlineData("""{"id":"b1","pk":"b","n":10}""", 7)]
    [InlineData("""{"id":"d1","pk":"a","n":1,"s":"x1"}""", 9)]
    [InlineData("""{"id":"ord1","pk":"a","zeta":1,"alpha":2,"mid":3,"b":4,"abcdef":5,"nu":null,"obj":{"a":{"b":1}}}""", 22)]
    [InlineData(
        """
        {"id":"ty1","pk":"t","i":42,"f":1.5,"t":true,"fa":false,"nu":null,"s":"héllo","arr":[1,"a",null,[2]],"obj":{"a":{"b":1}},"emp":"",
        "ea":[],"eo":{},"ts":"2026-10-10T12:00:00Z","dt":"2026-10-10","tm":"12:34:56.789","uuid":"123e4567-e89b-12d3-a456-426614174000",
        "b64":"AAEC/w==","dec":"12345678901234567890.123456789"}
        """, 49)]
    [InlineData("""{"id":"e5","pk":"t","s":"a\ud800b"}""", 7)]
    public void Count_ARecordedDocument_HasTheEntriesOfItsCharge(string json, int entries) =>
        Assert.Equal(entries, Count(json).Total);

    [Theory]
    // Elements share one path, and equal ones are one value.
    [InlineData("""{"a":[1,1.0,2,"1"]}""", 2, 1 + 3)]
    [InlineData("""{"a":[{"b":1,"c":2},{"c":2,"b":1}]}""", 4, 1 + 1 + 1 + 1)]
    [InlineData("""{"a":[{"b":1},{"b":2}],"b":[1]}""", 5, 1 + 2 + 2 + 1 + 1)]
    [InlineData("""{"a":[[1],[1]]}""", 3, 1 + 1 + 1)]
    [InlineData("""{"a":[[1,2],[2,1]]}""", 3, 1 + 2 + 2)]
    [InlineData("""{"a":[null,null]}""", 1, 1 + 1)]
    [InlineData("""{"a":["x","\u0078"]}""", 2, 1 + 1)]
    [InlineData("""{"id":"i","_ts":1,"_etag":"e","_rid":"r","_self":"s","_attachments":"a"}""", 0, 0)]
    [InlineData("""{"a":{"id":"i"}}""", 2, 2)]
    public void Count_ArraysAndObjects_CountsDistinctPathsAndContents(string json, int paths, int values) =>
        Assert.Equal(new IndexEntries(IndexEntries.Always, paths, values), Count(json));

    /// <summary>Half of a surrogate pair in a name, and a system property whose name is escaped.</summary>
    [Theory]
    [InlineData("""{"x\ud800":1,"n":1}""", 2)]
    [InlineData("""{"\u005fetag":"e","n":1}""", 1)]
    public void Count_EscapedNames_CountsThem(string json, int values) => Assert.Equal(
        (values, values),
        IndexEntries.Count(IndexPaths.TryCreate(["/*"], ["/other/?"], out _), Utf8(json)) is var entries
            ? (entries.Paths, entries.Values) : default);

    [Fact]
    public void Count_WithoutIndex_IsNothing() => Assert.Equal(0, IndexEntries.Count(null, "{\"a\":1}"u8).Total);

    [Fact]
    public void Count_NoObject_Throws() => Assert.ThrowsAny<JsonException>(() => Count("[1]"));

    /// <summary>Random documents, against a reading that keeps all paths and contents as texts.</summary>
    [Fact]
    public void Count_RandomDocuments_IsThatOfASlowReading()
    {
        var random = new Random(7);
        for (var i = 0; i < 2_000; i++)
        {
            var json = $$"""{"id":"a","p":{{RandomJson(random, 0)}},"q":{{RandomJson(random, 0)}}}""";
            Assert.Equal((json, IndexEntries.Always + Slow(json).Count), (json, Count(json).Total));
            var other = $$"""{"id":"a","p":{{RandomJson(random, 1)}},"q":{{RandomJson(random, 0)}}}""";
            var (old, now) = (Slow(json), Slow(other));
            old.SymmetricExceptWith(now);
            Assert.Equal(old.Count, IndexEntries.Changed(IndexPaths.Everything, Utf8(json), Utf8(other)));
        }
    }

    [Theory]
    [InlineData("""{"id":"a","n":1}""", """{"id":"a","n":1}""", 0)]
    // The id, system properties, the order of properties, white space and escapes change nothing.
    [InlineData("""{"id":"1","a":1,"b":2}""", """{ "b":2, "id":"1", "a":1 }""", 0)]
    [InlineData("""{"id":"1","a":1,"_ts":5,"_etag":"x"}""", """{"id":"1","a":1,"_ts":6,"_etag":"y"}""", 0)]
    [InlineData("""{"id":"1","a":"\u00e9","\u00e9":1}""", """{"id":"1","a":"é","é":1}""", 0)]
    [InlineData("""{"id":"a","n":1}""", """{"id":"a","n":2}""", 2)]
    [InlineData("""{"id":"1","a":1,"b":2}""", """{"id":"1","a":3,"b":4}""", 4)]
    [InlineData("""{"id":"1","a":1}""", """{"id":"1","a":"1"}""", 2)]
    [InlineData("""{"id":"a","n":1}""", """{"id":"a","n":1,"m":1}""", 2)]
    [InlineData("""{"id":"a","n":1}""", """{"id":"a","n":1,"m":null}""", 1)]
    // A value within an object changes the object's content, too.
    [InlineData("""{"id":"a","o":{"n":1}}""", """{"id":"a","o":{"n":2}}""", 4)]
    [InlineData("""{"id":"a","o":{"p":{"n":1}}}""", """{"id":"a","o":{"p":{"n":2}}}""", 6)]
    // The order of elements is part of the array's content.
    [InlineData("""{"id":"1","a":[1,2,3]}""", """{"id":"1","a":[3,1,2]}""", 2)]
    [InlineData("""{"id":"1","a":[1,2,3]}""", """{"id":"1","a":[1,2,4]}""", 4)]
    public void Changed_TwoDocuments_CountsWhatGoesAndComes(string before, string after, int changed) =>
        Assert.Equal(changed, IndexEntries.Changed(IndexPaths.Everything, Utf8(before), Utf8(after)));

    /// <summary>A path inside of an excluded one decides about the scalar alone, not about the objects around it.</summary>
    [Theory]
    [InlineData("/*", "", 11, 13)]
    [InlineData("/*", "/a/*", 5, 5)]
    [InlineData("/*", "/a/b/?", 10, 12)]
    [InlineData("/a/b/?", "/*", 1, 1)]
    [InlineData("/a/*", "/*", 6, 8)]
    [InlineData("/*,/a/list/[]/?", "/a/*", 6, 7)]
    [InlineData("/*,/a/b/?", "/a/*", 6, 6)]
    [InlineData("/*", "/\"quoted name\"/?", 10, 12)]
    [InlineData("/*", "/objects/[]/x/?", 10, 12)]
    [InlineData("", "/*", 0, 0)]
    public void Count_WithPaths_FollowsTheMostSpecificOne(string included, string excluded, int paths, int values) =>
        Assert.Equal(
            new IndexEntries(IndexEntries.Always, paths, values),
            IndexEntries.Count(
                IndexPaths.TryCreate(Split(included), Split(excluded), out _),
                """
                {"id":"1","_etag":"e","_ts":5,"a":{"b":1,"list":[1,2],"c":{"d":null,"id":true}},"quoted name":"q","pk":"p",
                "objects":[{"x":1}]}
                """u8));

    [Fact]
    public void Count_OnAHotPath_AllocatesNothing()
    {
        var json = """{"id":"1","a":1,"b":"text","c":{"d":[1,2,3]}}"""u8.ToArray();
        var sum = IndexEntries.Count(IndexPaths.Everything, json).Total;
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000; i++)
            sum += IndexEntries.Count(IndexPaths.Everything, json).Total;

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(1_001 * 15, sum);
    }

    private static IndexEntries Count(string json) => IndexEntries.Count(IndexPaths.Everything, Utf8(json));

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static string[] Split(string paths) => paths.Split(',', StringSplitOptions.RemoveEmptyEntries);

    private static string RandomJson(Random random, int depth) => random.Next(depth > 3 ? 5 : 8) switch
    {
        0 => random.Next(3).ToString(CultureInfo.InvariantCulture),
        1 => $"\"{(char)('a' + random.Next(3))}\"",
        2 => "true",
        3 => "null",
        4 => "\"\"",
        5 => $"[{string.Join(',', Enumerable.Range(0, random.Next(4)).Select(_ => RandomJson(random, depth + 1)))}]",
        6 => $"[{string.Join(',', Enumerable.Range(0, random.Next(4)).Select(_ => random.Next(2)))}]",
        _ => $"{{{string.Join(',', "abc".Take(random.Next(4)).Select(name => $"\"{name}\":{RandomJson(random, depth + 1)}"))}}}",
    };

    private static HashSet<string> Slow(string json)
    {
        var entries = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (name, value) in JsonNode.Parse(json)!.AsObject().Where(property => property.Key != "id"))
            Add($"/{name}", value);
        return entries;

        string Add(string path, JsonNode? value)
        {
            if (value is null)
            {
                entries.Add($"{path} = null");
                return "null";
            }

            entries.Add(path);
            var content = value switch
            {
                JsonObject one => $"{{{string.Join(',', one.OrderBy(property => property.Key, StringComparer.Ordinal)
                    .Select(property => $"{property.Key}:{Add($"{path}/{property.Key}", property.Value)}"))}}}",
                JsonArray many => $"[{string.Join(',', many.Select(item => Add($"{path}/[]", item)))}]",
                _ => value.ToJsonString(),
            };
            entries.Add($"{path} = {content}");
            return content;
        }
    }
}
