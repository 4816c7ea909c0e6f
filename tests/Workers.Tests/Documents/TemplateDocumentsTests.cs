using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Documents;

public sealed class TemplateDocumentsTests
{
    [Fact]
    public void Write_EveryPlaceholder_HasItsType()
    {
        var source = new TemplateDocuments(
            "run-1",
            """
            {
                "pk": "{{key}}", "number": "{{number}}", "text": "no. {{number}}", "guid": "{{guid}}", "again": "{{guid}}", "own": "{{id}}",
                "int": "{{random:int:-5:5}}", "real": "{{random:number:2:3}}", "bool": "{{random:bool}}", "letters": "{{random:text:12}}",
                "pick": "{{pick:a\"b,\\,é}}",
                "nested": { "list": [ 1, "{{number}}", null, { "deep": "x{{random:int:1:1}}" } ] }, "plain": "{ }", "truth": true
            }
            """,
            "pk");

        using var document = JsonDocument.Parse(source.Write(42));
        var root = document.RootElement;
        Assert.Equal(42, root.GetProperty("number").GetInt32());
        Assert.Equal("no. 42", root.GetProperty("text").GetString());
        Assert.NotEqual(root.GetProperty("guid").GetGuid(), root.GetProperty("again").GetGuid());
        Assert.Equal(root.GetProperty("id").GetString(), root.GetProperty("own").GetString());
        Assert.InRange(root.GetProperty("int").GetInt32(), -5, 5);
        Assert.InRange(root.GetProperty("real").GetDouble(), 2, 3);
        Assert.True(root.GetProperty("bool").ValueKind is JsonValueKind.True or JsonValueKind.False);
        Assert.Matches("^[a-z0-9]{12}$", root.GetProperty("letters").GetString());
        Assert.Contains(root.GetProperty("pick").GetString(), new[] { "a\"b", "\\", "é" });
        Assert.Equal("""[1,42,null,{"deep":"x1"}]""", root.GetProperty("nested").GetProperty("list").GetRawText());
        Assert.Equal("{ }", root.GetProperty("plain").GetString());
    }

    [Fact]
    public void Write_RandomRange_IncludesBothEnds()
    {
        var source = new TemplateDocuments("run-1", """{"n":"{{random:int:1:3}}"}""", "id");

        var values = Enumerable.Range(0, 100).Select(number => (int)JsonNode.Parse(source.Write(number))!["n"]!);

        Assert.Equal([1, 2, 3], values.Distinct().Order());
    }

    /// <summary>Each value comes as often as Zipf's law says, within five standard deviations of a binomial count.</summary>
    [Theory]
    [InlineData(1, 50, "1.1")]
    [InlineData(101, 20, "0.3")]
    [InlineData(-3, 7, "2.5")]
    [InlineData(5, 1, "1")]
    public void Write_SkewedRange_HasTheChancesOfTheLaw(int from, int values, string exponent)
    {
        const int Documents = 100_000;
        var source = new TemplateDocuments("run-1", $$$"""{"c":"x{{zipf:{{{from}}}:{{{from + values - 1}}}:{{{exponent}}}}}"}""", "c");
        var counts = new int[values];

        for (var number = 0; number < Documents; number++)
            counts[int.Parse(source.KeyOf(number)[1..], CultureInfo.InvariantCulture) - from]++;

        var weights = Enumerable.Range(1, values).Select(n => Math.Pow(n, -double.Parse(exponent, CultureInfo.InvariantCulture))).ToList();
        for (var rank = 0; rank < values; rank++)
        {
            var chance = weights[rank] / weights.Sum();
            var deviation = Math.Sqrt(Documents * chance * (1 - chance));
            Assert.InRange(counts[rank], (Documents * chance) - (5 * deviation), (Documents * chance) + (5 * deviation));
        }
    }

    [Fact]
    public void RankAt_BothEndsOfAShare_IsTheRankOfTheShare()
    {
        // Chances of 6/11, 3/11 and 2/11.
        var draw = ZipfDraw.For(3, 1);
        Assert.Equal([0, 0, 1, 1, 2, 2], new[] { 0, 0.545, 0.546, 0.818, 0.819, 1 - Math.Pow(2, -53) }.Select(draw.RankAt));
    }

    /// <summary>Each choice comes as often as its weight says, within five standard deviations, and the same each time.</summary>
    [Fact]
    public void Write_WeightedPick_HasTheSharesOfItsWeights()
    {
        const int Documents = 100_000;
        const string Template = """{"c":"{{pick:big*12.5,small*87,*,a*b*0.5}}"}""";
        var (source, again) = (new TemplateDocuments("run-1", Template, "c"), new TemplateDocuments("run-1", Template, "c"));

        var keys = Enumerable.Range(0, Documents).Select(number => source.KeyOf(number)).ToList();

        Assert.Equal(keys, Enumerable.Range(0, Documents).Select(number => again.KeyOf(number)));
        var counts = keys.CountBy(key => key).ToDictionary();
        foreach (var (choice, weight) in new[] { ("big", 12.5), ("small", 87), ("*", 1), ("a*b", 0.5) })
        {
            var chance = weight / 101;
            Assert.InRange(Math.Abs(counts[choice] - (Documents * chance)), 0, 5 * Math.Sqrt(Documents * chance * (1 - chance)));
        }
    }

    /// <summary>Choices of one weight are drawn as before there were weights, so that a run writes the documents that it wrote.</summary>
    [Fact]
    public void Write_PickWithoutWeights_TakesEqualPartsOfTheDrawnNumbers()
    {
        var source = new TemplateDocuments("run-1", """{"c":"{{pick:0,1,2}}"}""", "c");
        var seed = new DocumentIdentity("run-1", "template 1").Seed;

        Assert.All(
            Enumerable.Range(0, 1_000),
            number => Assert.Equal($"{new StableRandom(seed, number).Range(0, 2)}", source.KeyOf(number)));
    }

    /// <summary>A leg that runs again on another instance, in another order, writes the same documents.</summary>
    [Fact]
    public void Write_SkewedRange_IsAFunctionOfRunAndNumber()
    {
        const string Template = """{"c":"x{{zipf:1:1000:0.8}}","n":"{{zipf:1:1000:0.8}}"}""";
        var (source, again) = (new TemplateDocuments("run-1", Template, "c"), new TemplateDocuments("run-1", Template, "c"));
        var other = new TemplateDocuments("run-2", Template, "c");
        var forwards = Enumerable.Range(0, 300).Select(number => source.Write(number)).ToList();

        Assert.Equal(forwards, Enumerable.Range(0, 300).Reverse().Select(number => again.Write(number)).Reverse());
        Assert.NotEqual(
            Enumerable.Range(0, 300).Select(number => source.KeyOf(number)),
            Enumerable.Range(0, 300).Select(number => other.KeyOf(number)));
        Assert.Contains(forwards, text => JsonNode.Parse(text) is { } document && $"x{document["n"]}" != (string?)document["c"]);
    }

    /// <summary>
    /// Any template that validation accepts gives JSON documents with the template's properties, each with its id and key, within MaxBytes.
    /// </summary>
    [Fact]
    public void Write_AnyValidTemplate_HasItsProperties() => Properties.Holds(
        Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed =>
    {
        var random = new Random(seed);
        var template = AnyObject(random, depth: 0);
        var plan = new JsonObject { ["document"] = new JsonObject { ["kind"] = "template", ["template"] = template } };
        var reading = RunSpecReader.Read(plan);
        if (reading.Value is not { } spec)
        {
            Assert.All(reading.Errors, error => Assert.StartsWith("document.template", error.Path, StringComparison.Ordinal));
            return;
        }

        var keyPath = spec.Container.KeyPathsFor(spec.Document)[0];
        var source = new TemplateDocuments("run-1", spec.Document.Template!, keyPath[1..]);
        foreach (var number in new[] { 0, 7, 999_999_999L })
        {
            using var document = JsonDocument.Parse(source.Write(number));
            Assert.Equal(source.IdOf(number), document.RootElement.GetProperty("id").GetString());
            Assert.Equal(source.KeyOf(number), document.RootElement.GetProperty(keyPath[1..]).GetString());
            Assert.Equal(
                template.Select(property => property.Key).Append("id").Distinct().Order(),
                document.RootElement.EnumerateObject().Select(property => property.Name).Order());
        }
    }));

    private static JsonObject AnyObject(Random random, int depth)
    {
        var made = new JsonObject();
        for (var i = random.Next(5); i > 0; i--)
            made[new[] { "id", "a", "b c", "é\"", "pk", "d{" }[random.Next(6)]] = AnyValue(random, depth);
        return made;
    }

    private static JsonNode? AnyValue(Random random, int depth) => random.Next(depth < 3 ? 8 : 6) switch
    {
        0 => JsonValue.Create(random.Next()),
        1 => null,
        2 => JsonValue.Create(random.NextDouble()),
        6 => AnyObject(random, depth + 1),
        7 => new JsonArray([.. Enumerable.Range(0, random.Next(3)).Select(_ => AnyValue(random, depth + 1))]),
        _ => JsonValue.Create(string.Concat(Enumerable.Range(0, random.Next(4)).Select(_ => Pieces[random.Next(Pieces.Length)]))),
    };

    private static readonly string[] Pieces =
        [
            "{{number}}", "{{guid}}", "{{id}}", "{{key}}", "{{random:int:-9:9}}", "{{random:number:0:5}}", "{{random:text:3}}",
            "{{random:bool}}", "{{pick:x,\"y\",\\z}}", "{{zipf:-2:7:0.5}}", "{{oops}}", "\"", "\\", "\n", "é", "{", "}}", ",",
        ];
}
