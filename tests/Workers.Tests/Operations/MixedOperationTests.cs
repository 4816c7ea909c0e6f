namespace ScaleOut.Tests.Workers.Operations;

public sealed class MixedOperationTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    private readonly OperationContext _context = account.Context;

    [Fact]
    public async Task TryAsync_AnyDocument_DoesWhatTheMixSays()
    {
        var mix = new MixSpec { Insert = 1, Read = 1 };
        var disposed = new List<WorkloadKind>();
        var mixed = new MixedOperation(mix, kind => new Noted(
            kind == WorkloadKind.Read ? new ReadOperation(_context) : new PointOperation(_context, upsert: false),
            () => disposed.Add(kind)));

        // Of every two numbers, one is an insert and one a read.
        var reads = 0;
        for (var number = 50L; number < 54; number++)
        {
            var isRead = MixPattern.For(mix).KindOf(number) == WorkloadKind.Read;
            reads += isRead ? 1 : 0;
            if (isRead)
                await account.CreateAsync(number, 1);
            var response = await OperationAccount.TryAsync(mixed, number);

            Assert.Equal(isRead ? WorkloadKind.Read : WorkloadKind.Insert, (WorkloadKind)mixed.Part);
            Assert.Equal((AttemptKind.Succeeded, isRead ? 200 : 201), (response.Kind, response.Status));
            Assert.Equal((isRead, _context.Partitions.IndexOf(_context.Documents.KeyOf(number))), (mixed.PartBytes == 0, mixed.Partition));
            Assert.Equal((7, true), (mixed.PartDocuments, mixed.NextPart()));
        }

        mixed.Dispose();
        Assert.Equal(2, reads);
        Assert.Equal([WorkloadKind.Insert, WorkloadKind.Read], disposed.Order());
    }

    /// <summary>An operation that has further parts of seven documents.</summary>
    private sealed class Noted(IWorkloadOperation operation, Action whenDisposed) : IWorkloadOperation
    {
        public int Partition => operation.Partition;

        public int? PartDocuments => 7;

        public int PartBytes => operation.PartBytes;

        public bool NextPart() => true;

        public void Prepare(long first, int count) => operation.Prepare(first, count);

        public Task SendAsync() => operation.SendAsync();

        public AttemptResponse Read() => operation.Read();

        public void Dispose()
        {
            operation.Dispose();
            whenDisposed();
        }
    }
}
