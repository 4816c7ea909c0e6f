namespace ScaleOut.Tests.DevBox.Display;

/// <summary>The lines of one document, with figures that were counted on paper by docs/charges.md.</summary>
public sealed class ChargeLinesTests
{
    /// <summary>58 bytes. pk 2 entries, name 2, o and its two values 6, l with one path and two different elements 5, and 3: 18.</summary>
    private const string Document = """{"id":"i","pk":"k","name":"abc","o":{"a":1,"b":2},"l":[1,1,2]}""";

    private static readonly RunSpec Spec = new()
    {
        Document = new DocumentSpec { Kind = DocumentKind.Template, Template = """{"pk":"{{key}}"}""" },
        Container = new ContainerSpec { Throughput = 1_000, PartitionKeyPath = "/pk" },
    };

    [Fact]
    public void From_NestedDocument_CountsItsEntriesAndNamesTheDearestProperties() => Assert.Equal(
        [
            // 4 x (26 + 18) / 21.
            "  charge         18 index entries: 3, 7 paths, 8 values; 8.38 RU to create",
            // 1,024 bytes are the last of the row; 4 x (33 + 18) / 21.
            $"                 stored as {Document.Length + 205} bytes, in the row of 1 KB; "
                + $"{1_025 - 205 - Document.Length} bytes more: 9.71 RU",
            "                 most entries: /o 6, /l 5, /name 2",
            // 1,000 RU/s hold 119.3 writes of 8.38 RU, each with 13 x 4 / 21 RU less.
            "                 without these in the index 5.90 RU: at 119 writes a second 295 RU/s less, 21.57 EUR a month",
        ],
        Lines(Spec, new PriceList { Currency = "EUR", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0, StorageGigabyteMonth = 0 }));

    [Fact]
    public void From_IndexThatIsOff_SaysSo()
    {
        var lines = Lines(Spec with { Container = Spec.Container with { Indexing = IndexingMode.None } });
        Assert.Equal("  charge         0 index entries: the index is off; 4.95 RU to create", lines[0]);
        Assert.Equal(2, lines.Count);
    }

    [Fact]
    public void From_PathsThatAreExcludedAlready_AreNotNamed()
    {
        var lines = Lines(Spec with { Container = Spec.Container with { ExcludedPaths = ["/o/*", "/l/*"] } });
        Assert.Equal("  charge         7 index entries: 3, 2 paths, 2 values; 6.29 RU to create", lines[0]);
        Assert.Equal("                 most entries: /name 2", lines[2]);
    }

    /// <summary>Fewer entries save nothing of a read, and little of a replace.</summary>
    [Theory]
    [InlineData(WorkloadKind.Read)]
    [InlineData(WorkloadKind.Replace)]
    public void From_RunThatCreatesNothing_SaysNothingOfASaving(WorkloadKind kind) =>
        Assert.Equal(3, Lines(Spec with { Workload = new() { Kind = kind } }).Count);

    [Fact]
    public void From_LargestDocument_IsInTheLastRow() => Assert.EndsWith(
        "in the last row", Lines(Spec, null, $$"""{"id":"i","text":"{{new string('x', 2_000_000)}}"}""")[1], StringComparison.Ordinal);

    private static List<string> Lines(RunSpec spec, PriceList? prices = null, string document = Document) =>
        [.. ChargeLines.From(spec, Encoding.UTF8.GetBytes(document), prices)];
}
