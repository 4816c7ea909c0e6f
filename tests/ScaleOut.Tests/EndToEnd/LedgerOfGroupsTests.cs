namespace ScaleOut.Tests.EndToEnd;

/// <summary>The report of a whole run of bulk inserts or batches against the account's own ledger.</summary>
public sealed class LedgerOfGroupsTests
{
    [Theory]
    [InlineData("bulk", "Gateway")]
    [InlineData("bulk", "Direct")]
    [InlineData("batch", "Direct")]
    public Task Run_EachWorkload_LedgerEqualsReport(string workload, string mode) => LedgerAssert.AssertRunAgreesAsync(workload, mode);
}
