namespace ScaleOut.Tests.DevBox.EndToEnd;

/// <summary>The report of a whole run of bulk inserts or batches against the account's own books.</summary>
public sealed class BooksOfGroupsTests
{
    [Theory]
    [InlineData("bulk", "Gateway")]
    [InlineData("bulk", "Direct")]
    [InlineData("batch", "Direct")]
    public Task Run_EachWorkload_BooksEqualReport(string workload, string mode) => Books.AssertRunAgreesAsync(workload, mode);
}
