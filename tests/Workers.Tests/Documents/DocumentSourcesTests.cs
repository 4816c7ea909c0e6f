using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Documents;

/// <summary>Properties of documents of every kind.</summary>
public sealed class DocumentSourcesTests
{
    private static readonly (DocumentSpec Document, string KeyPath)[] Kinds =
    [
        (new DocumentSpec(), "/PartitionKey"),
        (new DocumentSpec(), "/id"),
        (new DocumentSpec { Kind = DocumentKind.Device }, "/id"),
        (new DocumentSpec { Kind = DocumentKind.Device }, "/ownerId"),
        (new DocumentSpec { Kind = DocumentKind.Flights }, "/Origin"),
        (new DocumentSpec { Kind = DocumentKind.Flights, KeyColumn = "Distance", Columns = ["Dest"] }, "/Distance"),
        (new DocumentSpec { Kind = DocumentKind.Flights }, "/id"),
        (
            Template(
                """
                {"pk":"{{key}}","n":"{{number}}","t":"{{random:text:9}} {{pick:a\"b,ü}}","d":"{{random:number:-1:1}}","b":"{{random:bool}}"}
                """),
            "/pk"),
        (Template("""{"id":"n{{number}}-{{id}}","city":"{{pick:Graz,Köln,a \"b\" c}} {{random:int:1:3}}","self":"{{id}}"}"""), "/city"),
    ];

    public static TheoryData<int> All => [.. Enumerable.Range(0, Kinds.Length)];

    [Theory, MemberData(nameof(All))]
    public void Write_AnyNumber_IsJsonWithItsIdAndKeyAndTheSameEachTime(int kind) => Properties.Holds(
        Prop.ForAll(ArbMap.Default.ArbFor<FsCheck.NonNegativeInt>(), drawn =>
    {
        var (document, keyPath) = Kinds[kind];
        long number = drawn.Get;
        var (one, other) = (Source("run-1", document, keyPath), Source("run-1", document, keyPath));

        var json = one.Write(number);

        using var parsed = JsonDocument.Parse(json);
        Assert.Equal(one.IdOf(number), parsed.RootElement.GetProperty("id").GetString());
        Assert.Equal(one.KeyOf(number), parsed.RootElement.GetProperty(keyPath[1..]).GetString());
        Assert.Equal(json, other.Write(number));
        Assert.NotEqual(one.IdOf(number), one.IdOf(number + 1));
    }));

    [Theory, MemberData(nameof(All))]
    public void Write_OtherRun_HasOtherIds(int kind)
    {
        var (document, keyPath) = Kinds[kind];
        Assert.NotEqual(Source("run-1", document, keyPath).IdOf(5), Source("run-2", document, keyPath).IdOf(5));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(7)]
    public void Write_InABatch_HasTheBatchKey(int kind)
    {
        var (document, keyPath) = Kinds[kind];
        var source = Source("run-1", document, keyPath);
        var key = source.KeyOfBatch(7);

        foreach (var number in new[] { 700L, 750, 799 })
        {
            using var parsed = JsonDocument.Parse(source.Write(number, key));
            Assert.Equal(key, parsed.RootElement.GetProperty(keyPath[1..]).GetString());
        }
    }

    [Theory, MemberData(nameof(All))]
    public void Shape_OfEachKind_HasThePathsAndBytesOfItsDocuments(int kind)
    {
        var (document, keyPath) = Kinds[kind];
        var source = Source("run-1", document, keyPath);
        var shape = DocumentShape.From(document);

        var sizes = Enumerable.Range(0, 300).Select(number => Encoding.UTF8.GetByteCount(source.Write(number))).ToList();

        Assert.Contains(keyPath, shape.PartitionKeyPaths);
        Assert.InRange(sizes.Average(), shape.Bytes * 0.9, shape.Bytes * 1.1);
        Assert.True(sizes.Max() <= source.MaxBytes);
        using var parsed = JsonDocument.Parse(source.Write(3));
        using var sample = JsonDocument.Parse(shape.Sample);
        Assert.Equal(
            Leaves(parsed.RootElement, "").Distinct().Order(StringComparer.Ordinal),
            Leaves(sample.RootElement, "").Append("/id").Distinct().Order(StringComparer.Ordinal));
        var entries = Enumerable.Range(0, 300)
            .Select(number => IndexEntries.Count(IndexPaths.Everything, Encoding.UTF8.GetBytes(source.Write(number))).Total);
        Assert.Equal(entries.Average(), IndexEntries.Count(IndexPaths.Everything, shape.Sample).Total, 0.5);
    }

    /// <summary>A document, its id and its key follow from its number, whichever kind it is of, and so does the key of a batch.</summary>
    [Fact]
    public void Write_SeveralKinds_EachDocumentIsThatOfItsKindWithItsOwnId()
    {
        var document = new DocumentSpec
        {
            Kinds =
            [
                new() { Weight = 3, Template = """{"id":"order-{{number}}","tenant":"{{key}}","total":"{{random:int:1:99}}"}""" },
                new() { Weight = 1, Template = """{"id":"line-{{number}}","tenant":"{{key}}","sku":"{{random:text:200}}"}""" },
            ],
        };
        var source = Source("run-1", document, "/tenant");

        var ids = new HashSet<string>();
        for (var number = 0; number < 2_000; number++)
        {
            using var parsed = JsonDocument.Parse(source.Write(number));
            var id = parsed.RootElement.GetProperty("id").GetString()!;
            Assert.True(ids.Add(id));
            Assert.Equal((id, source.KeyOf(number)), (source.IdOf(number), parsed.RootElement.GetProperty("tenant").GetString()));
            Assert.Equal(id.StartsWith("line-", StringComparison.Ordinal), parsed.RootElement.TryGetProperty("sku", out _));
            var buffer = new byte[source.MaxBytes];
            var batch = Encoding.UTF8.GetString(buffer, 0, source.Write(number, source.KeyOfBatch(number / 10), buffer));
            Assert.Contains($"\"tenant\":\"{source.KeyOfBatch(number / 10)}\"", batch, StringComparison.Ordinal);
        }

        Assert.InRange(ids.Count(id => id.StartsWith("order-", StringComparison.Ordinal)), 1_400, 1_600);
    }

    [Fact]
    public void Write_Device_IsUnderOneKilobyte()
    {
        var source = new DeviceDocuments("run-1", keyIsOwner: false);
        Assert.All(Enumerable.Range(0, 2_000), number => Assert.InRange(source.Write(number).Length, 500, 1_023));
    }

    [Fact]
    public void Write_Flight_HasFiftyColumnsAndAbout1725Bytes()
    {
        var source = new FlightDocuments("run-1", new DocumentSpec { Kind = DocumentKind.Flights }, keyIsId: false);
        var documents = Enumerable.Range(0, 500).Select(number => source.Write(number)).ToList();

        using var parsed = JsonDocument.Parse(documents[0]);
        Assert.Equal(51, parsed.RootElement.EnumerateObject().Count());
        Assert.InRange(documents.Average(document => document.Length), 1_700, 1_750);
    }

    [Fact]
    public void KeyOf_Flights_HasTheSkewOfRealAirports()
    {
        var source = new FlightDocuments("run-1", new DocumentSpec { Kind = DocumentKind.Flights }, keyIsId: false);
        const int flights = 20_000;

        var shares = Enumerable.Range(0, flights).Select(number => source.KeyOf(number)).GroupBy(key => key).ToDictionary(
            group => group.Key, group => group.Count() / (double)flights);

        Assert.Equal(100, shares.Count);
        Assert.Equal("ATL", shares.MaxBy(share => share.Value).Key);
        Assert.InRange(shares["ATL"], 0.065, 0.08);
        Assert.InRange(shares.Values.OrderDescending().Take(10).Sum(), 0.29, 0.34);
    }

    [Theory]
    [InlineData("perfTest", "/PartitionKey /id")]
    [InlineData("device", "/model /ownerId /id")]
    [InlineData("device", "/id /status")]
    [InlineData("flights", "/Origin /Dest /id")]
    [InlineData("flights", "/Reporting_Airline /Origin")]
    [InlineData("template", "/tenant /user /id")]
    [InlineData("template", "/user /tenant")]
    public void KeyValuesOf_HierarchicalKey_AreTheTextsOfTheDocumentAndSpread(string kind, string levels)
    {
        var document = kind == "template"
            ? """{ "kind": "template", "template": { "a": { "tenant": 1 }, "tenant": "t \"{{zipf:1:50:1}}\"", "user": "{{key}}" } }"""
            : $$"""{ "kind": "{{kind}}" }""";
        var spec = RunSpecReader.Read(
            $$"""
            { "document": {{document}}, "container": { "partitionKeyPaths": {{JsonSerializer.Serialize(levels.Split(' '))}} } }
            """);
        Assert.Empty(spec.Errors);
        var paths = spec.Value!.Container.KeyPathsFor(spec.Value.Document);
        var target = ContainerTarget.Create("d", "c", paths);
        var source = DocumentSources.For(
            Script.Assignment(new(0, 1)) with { RunId = "run-1", Document = spec.Value.Document, Container = target });
        var keys = new HashSet<string>();

        for (var number = 0; number < 300; number++)
        {
            using var written = JsonDocument.Parse(source.Write(number));
            var values = source.KeyValuesOf(number, source.KeyOf(number));
            Assert.Equal(paths.Select(path => written.RootElement.GetProperty(path[1..]).GetString()), values);
            keys.Add(string.Join("|", values));
        }

        Assert.True(keys.Count > 100, $"300 documents have {keys.Count} keys.");
    }

    [Fact]
    public void KeyValuesOf_BatchOfATemplateWithTheKeyAtTwoLevels_AreOneKey()
    {
        var document = Template("""{"tenant":"{{key}}","user":"{{key}}"}""");
        var source = DocumentSources.For(document, "run-1", ["/tenant", "/user"]);
        var key = source.KeyOf(205, batchSize: 100);

        Assert.Equal([key, key], source.KeyValuesOf(205, key));
        Assert.Equal(key, source.KeyOf(299, batchSize: 100));
    }

    /// <summary>The values are made apart from the document, so that each kind of placeholder must come out the same in both.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData(100)]
    public void KeyValuesOf_EachKindOfPlaceholder_AreTheTextsOfTheWrittenDocument(int? batchSize)
    {
        var document = Template(
            """
            { "id": "n{{number}}-{{random:text:80}}-{{random:number:0:9}}-{{random:bool}}", "tenant": "t-{{key}} \\\"",
              "user": "{{id}}/{{key}}/{{guid}}/{{pick:a\"b,ö}}/{{random:int:1:9}}/{{zipf:1:50:1}}" }
            """);
        string[] paths = ["/tenant", "/user", "/id"];
        var source = DocumentSources.For(document, "run-1", paths);

        for (var number = 0L; number < 300; number++)
        {
            var key = source.KeyOf(number, batchSize);
            var buffer = new byte[source.MaxBytes];
            using var written = JsonDocument.Parse(buffer.AsMemory(0, source.Write(number, key, buffer)));
            Assert.Equal(paths.Select(path => written.RootElement.GetProperty(path[1..]).GetString()), source.KeyValuesOf(number, key));
        }
    }

    private static DocumentSpec Template(string template) => new() { Kind = DocumentKind.Template, Template = template };

    private static IDocumentSource Source(string runId, DocumentSpec document, string keyPath) => DocumentSources.For(
        Script.Assignment(new(0, 1)) with { RunId = runId, Document = document, Container = new ContainerTarget("d", "c", keyPath) });

    private static IEnumerable<string> Leaves(JsonElement element, string path) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(property => Leaves(property.Value, $"{path}/{property.Name}")),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(item => Leaves(item, $"{path}/[]")),
        _ => [path],
    };
}
