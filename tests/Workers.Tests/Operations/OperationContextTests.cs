using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class OperationContextTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    private readonly OperationContext _context = account.Context;

    [Fact]
    public void ExistingOf_ChosenOrBatchedDocument_HasItsIdAndKey()
    {
        var documents = _context.Documents;
        var chosen = _context with { DocumentOf = number => number + 1_000 };
        var batched = _context with { WrittenInBatchesOf = 10 };

        Assert.Equal((documents.IdOf(1_040), new PartitionKey(documents.KeyOf(1_040))), Address(chosen, 40));
        Assert.Equal((documents.IdOf(47), new PartitionKey(documents.KeyOfBatch(4))), Address(batched, 47));
        Assert.Equal(_context.Partitions.IndexOf(documents.KeyOfBatch(4)), batched.ExistingOf(47).Partition);

        static (string, PartitionKey) Address(OperationContext context, long number) =>
            (context.ExistingOf(number).Id, context.ExistingOf(number).Key);
    }

    [Fact]
    public void KeyFrom_OneOrSeveralValues_IsTheSdksKey()
    {
        Assert.Equal(new PartitionKey("a"), OperationContext.KeyFrom(["a"]));
        Assert.Equal(new PartitionKeyBuilder().Add("a").Add("b").Build(), OperationContext.KeyFrom(["a", "b"]));
    }
}
