namespace ScaleOut.Tests.Workers.Documents;

public sealed class CsvDocumentsTests
{
    private static readonly DocumentSpec Orders = new() { Kind = DocumentKind.Csv, Csv = "orders.csv", KeyColumn = "tenant" };

    [Fact]
    public void Write_FileWithIds_HasThemOnceAndOtherIdsWhereRowsRepeat()
    {
        var source = Source("id,tenant,n\n\"a\"\"1\",t,1\nb,u,2\n", documents: 5);

        Assert.Equal("""{"id":"a\"1","tenant":"t","n":1}""", source.Write(0));
        Assert.Equal("""{"id":"b","tenant":"u","n":2}""", source.Write(1));
        Assert.Equal(5, Enumerable.Range(0, 5).Select(number => source.IdOf(number)).Distinct().Count());
        foreach (var number in new[] { 2L, 4 })
        {
            var repeated = JsonNode.Parse(source.Write(number))!;
            Assert.True(Guid.TryParse((string?)repeated["id"], out _), source.Write(number));
            Assert.Equal((source.IdOf(number), "t", 1), ((string?)repeated["id"], (string?)repeated["tenant"], (int)repeated["n"]!));
        }

        Assert.Equal(["document.csv: its 2 rows repeat in 5 documents; a repeated row has an id of the run."], source.Warnings);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(0)]
    public void Warnings_RowsForAllDocumentsOrAnUnknownNumber_AreNone(long documents) =>
        Assert.Empty(Source("tenant,n\nt,1\nu,2\n", documents).Warnings);

    [Fact]
    public void Write_KeyIsTheId_IsTheFilesId()
    {
        var document = Orders with { KeyColumn = "id" };
        var source = Source("id,n\nx,1\n", documents: 2, document, keyIsId: true);

        Assert.Equal(("x", "x", """{"id":"x","n":1}"""), (source.KeyOf(0), source.IdOf(0), source.Write(0)));
        Assert.Equal(source.IdOf(1), source.KeyOf(1));
    }

    private static CsvDocuments Source(string text, long documents, DocumentSpec? document = null, bool keyIsId = false) =>
        new CsvDocuments("run-1", CsvTable.Read(() => new StringReader(text), document ?? Orders), keyIsId, documents);
}
