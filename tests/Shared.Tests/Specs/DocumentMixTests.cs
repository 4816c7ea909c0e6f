namespace ScaleOut.Tests.Shared.Specs;

public sealed class DocumentMixTests
{
    private static readonly IReadOnlyList<DocumentPart> Kinds =
        [new() { Weight = 70 }, new() { Weight = 25, Kind = DocumentKind.Device }, new() { Weight = 5, Template = """{"a":"b"}""" }];

    /// <summary>Of 100,000 draws a share of p has a standard deviation of at most 0.16%.</summary>
    [Fact]
    public void IndexOf_ManyNumbers_HasEachKindByItsShare()
    {
        var counts = new int[Kinds.Count];
        for (var number = 60_000_000_000; number < 60_000_100_000; number++)
            counts[DocumentMix.IndexOf(Kinds, number)]++;

        Assert.InRange(counts[0], 69_200, 70_800);
        Assert.InRange(counts[1], 24_200, 25_800);
        Assert.InRange(counts[2], 4_200, 5_800);
    }

    /// <summary>A kind of documents must not meet only one kind of operation.</summary>
    [Fact]
    public void IndexOf_NumbersOfOneKindOfOperation_AreOfAllKinds()
    {
        var pattern = MixPattern.For(new MixSpec { Insert = 1, Read = 1 });
        var reads = Enumerable.Range(0, 20_000).Where(number => pattern.KindOf(number) == WorkloadKind.Read)
            .CountBy(number => DocumentMix.IndexOf(Kinds, number)).ToDictionary();
        Assert.InRange(reads[0], 6_800, 7_200);
        Assert.InRange(reads[2], 400, 600);
    }

    [Fact]
    public void Kind_OfASpecWithKinds_IsMixedAndStaysSo()
    {
        const string Json = """{"document":{"kinds":[{"weight":1},{"weight":1,"template":{"PartitionKey":"{{key}}"}}]}}""";
        var read = RunSpecReader.Read(Json).Value!;

        Assert.Equal(DocumentKind.Mixed, read.Document.Kind);
        Assert.Equal([DocumentKind.PerfTest, DocumentKind.Template], read.Document.Kinds!.Select(kind => kind.Kind));
        Assert.Equal(["/PartitionKey"], read.Container.KeyPathsFor(read.Document));
        var again = RunSpecReader.Read(JsonSerializer.Serialize(read, ScaleOutJson.Compact)).Value!;
        Assert.Equivalent(read, again, strict: true);
    }
}
