namespace ScaleOut.Tests.Workers.Operations;

public sealed class DocumentChoiceTests
{
    private static readonly MixSpec Mix = new() { Insert = 30, Upsert = 5, Read = 40, Patch = 5, Delete = 20 };

    /// <summary>The share of rank n is n^-s over the sum of all of them.</summary>
    [Theory]
    [InlineData(1_000, 0.99)]
    [InlineData(50, 2.5)]
    [InlineData(100_000, 0.5)]
    public void Draw_ManyTimes_HasTheSharesOfTheLaw(int count, double exponent)
    {
        const int Draws = 200_000;
        var counts = new int[count];
        for (var number = 0; number < Draws; number++)
            counts[ZipfLaw.Draw(new StableRandom(seed: 5, number), count, exponent)]++;

        var sum = Enumerable.Range(1, count).Sum(rank => Math.Pow(rank, -exponent));
        foreach (var rank in new[] { 1, 2, 3, 10, count })
        {
            var share = Math.Pow(rank, -exponent) / sum;
            var error = 4 * Math.Sqrt(share * (1 - share) / Draws);
            Assert.InRange(counts[rank - 1] / (double)Draws, share - error - (1.0 / Draws), share + error + (1.0 / Draws));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1_000_000_000)]
    public void Draw_AnyCount_IsWithinIt(long count)
    {
        for (var number = 0; number < 10_000; number++)
            Assert.InRange(ZipfLaw.Draw(new StableRandom(seed: 1, number), count, DocumentChoice.Exponent), 0, count - 1);
    }

    [Fact]
    public void Create_Even_IsOneAfterTheOther()
    {
        var read = DocumentChoice.Create(Assign(new() { Kind = WorkloadKind.Read, Preload = 7 }), () => 0);
        var mixed = DocumentChoice.Create(Assign(new() { Mix = Mix }), () => 0);
        Assert.Equal([0, 6, 0, 3], new long[] { 0, 6, 7, 17 }.Select(read));
        Assert.Equal([0, 6, 7, 17], new long[] { 0, 6, 7, 17 }.Select(mixed));
    }

    [Fact]
    public void Create_ZipfAndLatest_BeginAtOppositeEndsAndRepeat()
    {
        var workload = new WorkloadSpec { Kind = WorkloadKind.Read, Preload = 1_000, Choose = DocumentOrder.Zipf };
        var zipf = DocumentChoice.Create(Assign(workload), () => 0);
        var latest = DocumentChoice.Create(Assign(workload with { Choose = DocumentOrder.Latest }), () => 0);
        var numbers = Enumerable.Range(0, 5_000).Select(number => (long)number).ToList();

        var chosen = numbers.Select(zipf).ToList();

        Assert.Equal(0, chosen.CountBy(document => document).MaxBy(one => one.Value).Key);
        Assert.Equal(chosen, numbers.Select(zipf));
        Assert.Equal(chosen.Select(document => 999 - document), numbers.Select(latest));
        Assert.NotEqual(chosen, numbers.Select(DocumentChoice.Create(Assign(workload) with { RunId = "another" }, () => 0)));
    }

    /// <summary>
    /// For any number of documents, only those are chosen that were written before the start and that no operation deletes.
    /// </summary>
    [Theory]
    [InlineData(60)]
    [InlineData(5_050)]
    public void Create_ZipfInAMix_IsADocumentThatStays(long documents)
    {
        var choose = DocumentChoice.Create(Assign(new() { Mix = Mix, Choose = DocumentOrder.Zipf }, documents), () => 0);
        var pattern = MixPattern.For(Mix);
        var reads = Numbers(documents).Where(number => pattern.KindOf(number) is WorkloadKind.Read or WorkloadKind.Patch).ToList();

        var chosen = reads.Select(choose).ToList();

        Assert.All(chosen, document =>
        {
            Assert.InRange(document, 0, documents - 1);
            Assert.True(pattern.KindOf(document) is WorkloadKind.Read or WorkloadKind.Patch, $"{document} is no document that stays.");
        });
        // The most frequent of n documents has 1 / (ln n + 0.58) of the choices, the even share is 1 / n.
        Assert.True(chosen.CountBy(document => document).Max(one => one.Value) > (documents < 100 ? 0 : 0.05 * chosen.Count));
    }

    /// <summary>Only documents that the worker has written are chosen, mostly those of the last finished block.</summary>
    [Fact]
    public void Create_LatestInAMix_FollowsTheWrites()
    {
        const long First = 1_030;
        var (pattern, next) = (MixPattern.For(Mix), First);
        var assignment = Assign(new() { Mix = Mix, Choose = DocumentOrder.Latest }, 9_000) with { Slice = new NumberRange(First, 5_000) };
        var choose = DocumentChoice.Create(assignment, () => next);
        Assert.Equal(1_050, choose(1_050));

        var newest = 0L;
        foreach (var at in new[] { 1_500, 3_000, 6_000 })
        {
            next = at;
            var chosen = Enumerable.Range(0, 2_000).Select(number => choose(at + number)).ToList();
            Assert.All(chosen, document =>
            {
                Assert.InRange(document, First, at - 1);
                Assert.True(pattern.KindOf(document) is WorkloadKind.Insert or WorkloadKind.Upsert, $"{document} is no write.");
            });
            var mode = chosen.CountBy(document => document).MaxBy(one => one.Value).Key;
            Assert.InRange(mode, at - (2 * pattern.BlockSize), at - 1);
            Assert.True(mode > newest);
            newest = mode;
        }
    }

    /// <summary>A slice may begin at a block, or within one that another worker began.</summary>
    [Theory]
    [InlineData(1_000, 1_020, true)]
    [InlineData(1_000, 1_019, false)]
    [InlineData(1_001, 1_040, true)]
    [InlineData(1_030, 1_059, false)]
    public void Create_LatestInAMix_NeedsABlockOfItsOwnSlice(long first, long next, bool isChosen)
    {
        var assignment = Assign(new() { Mix = Mix, Choose = DocumentOrder.Latest }, 9_000) with { Slice = new NumberRange(first, 5_000) };
        var choose = DocumentChoice.Create(assignment, () => next);
        Assert.Equal(20, MixPattern.For(Mix).BlockSize);

        var chosen = Enumerable.Range(0, 500).Select(number => choose(next + number)).ToList();

        if (isChosen)
            Assert.All(chosen, document => Assert.InRange(document, next - 20, next - 1));
        else
            Assert.Equal(Enumerable.Range(0, 500).Select(number => next + number), chosen);
    }

    [Fact]
    public void Create_ZipfInAMixOfUnknownSize_ChoosesWithinTheSlice()
    {
        var choose = DocumentChoice.Create(Assign(new() { Mix = Mix, Choose = DocumentOrder.Zipf }) with { Documents = 0 }, () => 0);

        // All documents are of the slice, whatever the number of the operation.
        var chosen = Numbers(2_000).Select(number => choose(1_000_000 + number)).ToList();
        Assert.All(chosen, document => Assert.InRange(document, 0, 4_999));
    }

    private static IEnumerable<long> Numbers(long count) => Enumerable.Range(0, (int)count).Select(number => (long)number);

    private static WorkerAssignment Assign(WorkloadSpec workload, long documents = 5_000) =>
        Script.Assignment(new NumberRange(0, documents)) with { RunId = "run-1", Workload = workload, Documents = documents };
}
