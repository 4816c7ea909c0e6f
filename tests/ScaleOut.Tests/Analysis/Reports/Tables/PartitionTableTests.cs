namespace ScaleOut.Tests.Analysis.Reports.Tables;

public sealed class PartitionTableTests
{
    private static readonly RunSample Sample = new() { Seconds = 20, Spec = new() { Id = "test", Documents = 40_000 } };

    [Fact]
    public void From_FewPartitions_ListsAllInOrder()
    {
        var table = Assert.Single(PartitionTable.From((Sample with { Partitions = 20 }).Build()));

        Assert.Equal(Enumerable.Range(0, 20).Select(id => id.ToString()), table.Rows.Select(row => row[0]));
        Assert.Null(table.Note);
    }

    [Fact]
    public void From_ManyPartitions_ListsTheBusiestAndSumsUpTheRest()
    {
        var table = Assert.Single(PartitionTable.From((Sample with { Partitions = 167, HotShare = 0.1 }).Build()));

        Assert.Equal(PartitionTable.MaxRows, table.Rows.Count);
        Assert.Equal("0", table.Rows[0][0]);
        Assert.StartsWith("The 20 busiest of 167 partitions.", table.Note, StringComparison.Ordinal);
    }

    [Fact]
    public void From_NoPartitions_IsNoTable() => Assert.Empty(PartitionTable.From(Sample.Build() with { Partitions = [] }));

    [Fact]
    public void All_AnyReport_HasAsManyCellsAsColumns() => Assert.All(
        ReportTables.From(Sample.Build())
            .Concat(ReportTables.From((Sample with { ThrottledShare = 0.1, Spec = Sample.Spec with { Workers = 80 } }).Build())),
        table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
}
