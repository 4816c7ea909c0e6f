using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Documents;

public sealed class CsvTableTests
{
    private static readonly DocumentSpec Airports = new() { Kind = DocumentKind.Csv, Csv = "x.csv", KeyColumn = "airport" };

    [Fact]
    public void Read_ValidFile_HasItsRowsInTheOrderOfTheFile()
    {
        var table = Read("airport,n,text\nZRH,1,a\nATL,2,\"b,\n\"\"c\"\"\"\nZRH,3,\nATL,4,-1.50\n");

        Assert.Equal(["ZRH", "ATL", "ZRH", "ATL"], table.Rows.Select(row => row.Key));
        Assert.Equal(
            [
                """{"airport":"ZRH","n":1,"text":"a"}""",
                """{"airport":"ATL","n":2,"text":"b,\n\"c\""}""",
                """{"airport":"ZRH","n":3,"text":null}""",
                """{"airport":"ATL","n":4,"text":"-1.50"}""",
            ],
            table.Rows.Select(row => JsonOf(row.Json)));
        Assert.Null(table.BrokenText);
    }

    [Fact]
    public void Read_ForBatches_OrdersRowsByKeyAndKeepsTheirOrderWithinAKey()
    {
        var table = CsvTable.Read(() => new StringReader("airport,n\nZRH,1\nATL,2\nZRH,3\nATL,4\n"), Airports, byKey: true);

        Assert.Equal(
            ["ATL 2", "ATL 4", "ZRH 1", "ZRH 3"], table.Rows.Select(row => $"{row.Key} {JsonNode.Parse(JsonOf(row.Json))!["n"]}"));
    }

    /// <summary>One postal code with a leading zero, or one number with too many digits, makes texts of all values.</summary>
    [Theory]
    [InlineData("1|2.50|-3e-05", "1|2.50|-3e-05")]
    [InlineData("47.376886599999995|1", "47.376886599999995|1")]
    [InlineData("9007199254740992|0", "9007199254740992|0")]
    [InlineData("9007199254740993|0", "\"9007199254740993\"|\"0\"")]
    [InlineData("1e400|0", "\"1e400\"|\"0\"")]
    [InlineData("04|2", "\"04\"|\"2\"")]
    [InlineData("1 |2", "\"1 \"|\"2\"")]
    [InlineData("+1|2", "\"+1\"|\"2\"")]
    [InlineData("NaN|2", "\"NaN\"|\"2\"")]
    [InlineData("true|FALSE|True", "true|false|true")]
    [InlineData("true|1", "\"true\"|\"1\"")]
    [InlineData("null|[1]", "\"null\"|\"[1]\"")]
    [InlineData("1||2", "1|null|2")]
    [InlineData("a||", "\"a\"|null|null")]
    [InlineData("||", "null|null|null")]
    public void Read_AColumn_HasTheTypeOfAllItsValues(string values, string expected)
    {
        var table = Read("airport,v\n" + string.Concat(values.Split('|').Select(value => $"1,{value}\n")));

        Assert.Equal(
            expected.Split('|').Select(value => $$"""{"airport":"1","v":{{value}}}"""), table.Rows.Select(row => JsonOf(row.Json)));
    }

    [Fact]
    public void Read_OwnIds_AreKeptAndAreNoPropertyTwice()
    {
        var table = Read("n,id,airport\n1,a-1,ZRH\n2,2,ATL\n");

        Assert.Equal(["a-1", "2"], table.Rows.Select(row => row.Id));
        Assert.Equal(["""{"airport":"ZRH","n":1}""", """{"airport":"ATL","n":2}"""], table.Rows.Select(row => JsonOf(row.Json)));
    }

    [Fact]
    public void Read_IdsThatNoDocumentCanHave_AreBrokenRows() => Assert.Equal(
        [
            "line 3 (the id and the key of line 2 again)", "line 5 (no id)", "line 6 (an id with one of / \\ ? #)",
            "line 7 (an id over 1,023 bytes)",
        ],
        Read($"id,airport\na,ZRH\na,ZRH\na,ATL\n,ATL\nb#,ATL\n{new string('x', 1_024)},ATL\n", Airports with
        {
            OnBrokenRow = BrokenRowRule.Skip,
        }).Broken.Select(row => $"{row}"));

    /// <summary>The usual row has as many values as the mean, because what is null has fewer entries in the index.</summary>
    [Fact]
    public void Read_AFile_TeachesTheShapeOfItsDocuments()
    {
        var document = Airports with { Csv = "taught.csv" };
        Assert.Equal(["airport"], DocumentShape.From(document).Properties);

        var table = Read("airport,a,b,c\nATL,,,\nATL,1,x,\nATL,2,y,z\n", document);

        var shape = DocumentShape.From(document with { });
        Assert.Equal("""{"id":"","airport":"ATL","a":1,"b":"x","c":null}""", Encoding.UTF8.GetString(shape.Sample));
        Assert.Equal((int)Math.Round(table.Rows.Average(row => row.Json.Length + 45)), shape.Bytes);
        Assert.Equal(["/airport", "/id"], shape.PartitionKeyPaths);
        // Three in any document, two for each of three values, and one for the value null.
        Assert.Equal(10, RunEstimate.IndexEntriesOf(new RunSpec { Document = document }).Total);
    }

    /// <summary>Two keys that differ in such a byte only would become one.</summary>
    [Theory]
    [InlineData("airport,n\nZRH,1\nK\u00d6LN,2\n", 3)]
    [InlineData("airport,n\u00e9\nZRH,1\n", 1)]
    // Behind a byte order mark, too, which spreadsheets write.
    [InlineData("\u00ef\u00bb\u00bfairport,n\nK\u00d6LN,2\n", 2)]
    public async Task Read_BytesThatAreNotUtf8_AreRefusedWithTheirLine(string text, int line)
    {
        using var folder = new TemporaryFolder();
        var path = Path.Combine(folder.Path, "x.csv");
        await File.WriteAllBytesAsync(path, Encoding.Latin1.GetBytes(text), TestContext.Current.CancellationToken);
        var error = Assert.Throws<DocumentException>(() => CsvTable.Read(Airports with { Csv = path }));
        AssertText.Has(Assert.Single(error.Errors).Message, $": line {line} is not in UTF-8; save the file in that encoding");
    }

    [Fact]
    public async Task Read_FileWithAByteOrderMark_SkipsIt()
    {
        using var folder = new TemporaryFolder();
        var path = Path.Combine(folder.Path, "x.csv");
        await File.WriteAllTextAsync(path, "airport,n\nZRH,1\n", new UTF8Encoding(true), TestContext.Current.CancellationToken);
        Assert.Equal("ZRH", Assert.Single(CsvTable.Read(Airports with { Csv = path }).Rows).Key);
    }

    [Fact]
    public void Read_SomeColumns_TakesThemAndTheKey()
    {
        var table = Read("a,b,airport,c\n1,2,ATL,3\n", Airports with { Columns = ["c", "a"] });

        Assert.Equal("""{"airport":"ATL","c":3,"a":1}""", JsonOf(Assert.Single(table.Rows).Json));
    }

    [Theory]
    [InlineData("\r\n")]
    [InlineData("\n")]
    public void Read_BrokenRowsAreSkipped_NamesTheirLinesAndCountsThem(string newLine)
    {
        var text = string.Join(newLine, "airport,n", "ATL,1", "ATL", "ZRH,\"two", "lines\"", "ZRH,2,3", "", ",5", "SEA,x\"y", "SEA,6");

        var table = Read(text, Airports with { OnBrokenRow = BrokenRowRule.Skip });

        Assert.Equal(3, table.Count);
        Assert.Equal(
            [
                (3L, "another number of columns than the header"),
                (6L, "another number of columns than the header"),
                (8L, "no key"),
                (9L, "a quote within a field"),
            ],
            table.Broken.Select(row => (row.Line, row.Reason)));
        Assert.Equal(
            "4 of 7 rows are broken: line 3 (another number of columns than the header), "
                + "line 6 (another number of columns than the header), line 8 (no key), line 9 (a quote within a field)",
            table.BrokenText);
    }

    [Fact]
    public void Read_BrokenRowsAreNotSkipped_NamesThemAndSaysHowToGoOn()
    {
        var error = Assert.Single(Assert.Throws<DocumentException>(() => Read("airport,n\nATL,1\nATL\n")).Errors).ToString();
        Assert.Equal(
            "document.csv: \"x.csv\": 1 of 2 rows are broken: line 3 (another number of columns than the header) "
                + "(document.onBrokenRow skip goes on without them)", error);
    }

    [Fact]
    public void Read_ManyBrokenRows_NamesTheFirstTen()
    {
        var table = Read(
            "airport,n\nATL,1\n" + string.Concat(Enumerable.Repeat("ATL\n", 25)), Airports with { OnBrokenRow = BrokenRowRule.Skip });
        Assert.StartsWith("25 of 26 rows are broken: line 3 ", table.BrokenText, StringComparison.Ordinal);
        Assert.EndsWith("line 12 (another number of columns than the header), ...", table.BrokenText, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_SeveralErrors_AreAllNamedWithFileAndLine() => Assert.Equal(
        [
            "document.csv: \"x.csv\": line 1: the header has the column \"b\" twice",
            "document.keyColumn: \"x.csv\": line 1: the header has no column \"airport\"; it has a, b, , b",
            "document.columns[0]: \"x.csv\": line 1: the header has no column \"x\"; it has a, b, , b",
            "document.csv: \"x.csv\": line 1: column 3 has no name; name it, or pick others by document.columns",
            "document.csv: \"x.csv\": 1 of 2 rows are broken: line 3 (another number of columns than the header)",
        ],
        Assert.Throws<DocumentException>(() => Read("a,b,,b\n1,2,3,4\n1,2\n", Airports with { Columns = ["x", ""] })).Errors
            .Select(error => error.ToString()));

    [Theory]
    [InlineData("", "document.csv: \"x.csv\" is empty; a header is expected in its first line")]
    [InlineData("airport,n\n", "document.csv: \"x.csv\" has no rows")]
    [InlineData("airport,airport\nATL,1\n", "document.csv: \"x.csv\": line 1: the header has the column \"airport\" twice")]
    public void Read_NoRows_SaysSo(string text, string error) =>
        Assert.Equal(error, Assert.Single(Assert.Throws<DocumentException>(() => Read(text)).Errors).ToString());

    [Theory]
    [InlineData("no/such.csv", "document.csv: there is no file \"no/such.csv\"")]
    [InlineData("rows\0.csv", "document.csv: ")]
    public void Read_FileThatCannotBeRead_IsAnErrorOfItsField(string file, string error) => Assert.StartsWith(
        error,
        Assert.Single(Assert.Throws<DocumentException>(() => CsvTable.Read(Airports with { Csv = file })).Errors).ToString(),
        StringComparison.Ordinal);

    [Fact]
    public void Read_File_IsReadAsUtf8()
    {
        using var folder = new TemporaryFolder();
        var file = Path.Combine(folder.Path, "flights.csv");
        File.WriteAllText(file, "airport,city\nZRH,Zürich\n", new UTF8Encoding(encoderShouldEmitUTF8Identifier: true));

        var row = Assert.Single(CsvTable.Read(Airports with { Csv = file }).Rows);
        Assert.Equal("""{"airport":"ZRH","city":"Zürich"}""", JsonOf(row.Json));
    }

    /// <summary>Any text that is quoted as RFC 4180 says is read unchanged.</summary>
    [Fact]
    public void Read_AnyQuotedTexts_AreUnchanged() => Properties.Holds(Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed =>
    {
        var random = new Random(seed);
        var rows = Enumerable.Range(0, random.Next(1, 20)).Select(_ => (Key: $"k{random.Next(3)}", Value: AnyText(random))).ToList();
        var text = "airport,v\n" + string.Concat(
            rows.Select(row => $"{row.Key},\"{row.Value.Replace("\"", "\"\"", StringComparison.Ordinal)}\"\n"));

        var table = Read(text);

        Assert.Empty(table.Broken);
        Assert.Equal(rows.Select(row => (row.Key, row.Value)), table.Rows.Select(row =>
        {
            using var json = JsonDocument.Parse(JsonOf(row.Json));
            var value = json.RootElement.GetProperty("v");
            return (row.Key, value.ValueKind == JsonValueKind.Null ? "" : value.ToString());
        }));
    }));

    /// <summary>Any text gives rows, broken rows or errors, and never another exception. No line is counted twice.</summary>
    [Fact]
    public void Read_AnyBytes_NeverThrowsAnythingElse() => Properties.Holds(Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed =>
    {
        var random = new Random(seed);
        var text = "airport,n\n" + string.Concat(Enumerable.Range(0, random.Next(200)).Select(_ => "a1\",\n\r ,,\"\"é\0"[random.Next(13)]));
        try
        {
            var table = Read(text, Airports with { OnBrokenRow = BrokenRowRule.Skip });
            Assert.True(table.Count > 0);
            Assert.True(table.Count + table.Broken.Count <= text.Count(letter => letter is '\n' or '\r') + 1);
        }
        catch (DocumentException e)
        {
            Assert.NotEmpty(e.Errors);
        }
    }));

    private static string AnyText(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(12)).Select(_ => "ab1,\"\n é{}\\"[random.Next(11)]));

    /// <summary>A row's properties as a JSON object; they begin with a comma.</summary>
    private static string JsonOf(byte[] row) => $"{{{Encoding.UTF8.GetString(row)[1..]}}}";

    private static CsvTable Read(string text, DocumentSpec? document = null) =>
        CsvTable.Read(() => new StringReader(text), document ?? Airports);
}
