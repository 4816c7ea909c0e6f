using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Charges;

public sealed class ChargeModelTests
{
    private const int Kilobyte = 1_024;

    private static ChargeModel Documented => ChargeModel.Documented;

    [Theory]
    [InlineData(0, 1, 4.95)]
    [InlineData(155, 1, 4.95)]
    [InlineData(1_024, 1, 4.95)]
    // One byte more costs as much as 2 KB.
    [InlineData(1_025, 1.04, 6.29)]
    [InlineData(2_048, 1.04, 6.29)]
    [InlineData(100 * Kilobyte, 9.95, 48.19)]
    // Beyond the table the charge grows in proportion to the size.
    [InlineData(4_096 * Kilobyte, 583.60, 2_500)]
    public void ReadAndCreate_AnySize_CostTheNextPointUp(long bytes, double read, double create)
    {
        Assert.Equal(read, Documented.Read(bytes));
        Assert.Equal(create, Documented.Create(bytes, 0));
    }

    /// <summary>A query's documents have no steps: half-way from 1 KB to 2 KB on the scale of logarithms is the square root of 2.</summary>
    [Fact]
    public void QueryLoaded_BetweenTwoPoints_LiesBetweenTheirCharges()
    {
        var (low, middle, high) = (Documented.QueryLoaded(1_024), Documented.QueryLoaded(1_448), Documented.QueryLoaded(2_048));
        Assert.Equal((low + high) / 2, middle, 4);
        Assert.True(low < high);
        Assert.Equal(low / 2, Documented.QueryLoaded(512), 6);
    }

    [Fact]
    public void Charge_LargerDocumentOrMoreTerms_NeverCostsLess() => Prop.ForAll(
        ArbMap.Default.ArbFor<NonNegativeInt>(), ArbMap.Default.ArbFor<NonNegativeInt>(),
        (bytes, terms) => Documented.Create(bytes.Get * 97L, terms.Get) is var charge
            && Documented.Create((bytes.Get + 1) * 97L, terms.Get) >= charge && Documented.Create(bytes.Get * 97L, terms.Get + 1) > charge
            && Documented.Read((bytes.Get + 1) * 97L) >= Documented.Read(bytes.Get * 97L)
            && Documented.QueryLoaded((bytes.Get + 1) * 97L) > Documented.QueryLoaded(bytes.Get * 97L))
        .QuickCheckThrowOnFailure();

    /// <summary>The documentation's examples count 5.0 RU for 1 KB where its table has 4.95.</summary>
    [Fact]
    public void Write_OfTheDocumentationsExamples_IsExactWithTheirRoundedKilobyte()
    {
        var rounded = new ChargeModel(
            Documented.ReadPoints, [new(Kilobyte, 5), new(2 * Kilobyte, 6.29)], Documented.IndexedTerm, Documented.PatchedProperty,
            Documented.Query);

        Assert.Equal(7, rounded.Create(Kilobyte, 10));
        Assert.Equal(10.8, rounded.Replace(Kilobyte, Kilobyte, 4));
        Assert.Equal(11.6, rounded.Patch(Kilobyte, Kilobyte, 4, 2));
        Assert.Equal(7, rounded.Delete(Kilobyte, 10));
    }

    [Fact]
    public void Replace_DocumentThatGrows_CostsTheOldAndTheNewSize() =>
        // 4.95 at 1 KB, 6.67 at 4 KB, and 0.2 for each of three entries.
        Assert.Equal(12.22, Documented.Replace(Kilobyte, 4 * Kilobyte, 3));

    [Fact]
    public void Charges_OnAHotPath_AllocateNothing()
    {
        var sum = Documented.Create(70_000, 5) + Documented.Read(70_000) + Documented.Replace(100, 70_000, 4);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var bytes = 0; bytes < 100_000; bytes += 37)
            sum += Documented.Create(bytes, 5) + Documented.Read(bytes) + Documented.Replace(100, bytes, 4) + Documented.QueryLoaded(bytes);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.True(sum > 0);
    }

    [Fact]
    public void Create_NegativeSize_Throws() => Assert.Throws<ArgumentOutOfRangeException>(() => Documented.Create(-1, 0));

    [Fact]
    public void Model_PointsThatDoNotAscend_Throws()
    {
        Assert.Throws<ArgumentException>(() => WithReads([new(2_048, 1), new(1_024, 2)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(1_024, 1)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(0, 1), new(1_024, 2)]));

        static ChargeModel WithReads(SizeCharge[] reads) => new(reads, Documented.WritePoints, 0.2, 0.4, Documented.Query);
    }
}
