using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Charges;

public sealed class ChargeModelTests
{
    private const int Kilobyte = 1_024;

    private static ChargeModel Default => ChargeModel.Default;

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
        Assert.Equal(read, Default.Read(bytes));
        Assert.Equal(create, Default.Create(bytes, 0));
    }

    /// <summary>A query's documents have no steps: half-way from 1 KB to 2 KB on the scale of logarithms is the square root of 2.</summary>
    [Fact]
    public void QueryLoaded_BetweenTwoPoints_LiesBetweenTheirCharges()
    {
        var (low, middle, high) = (Default.QueryLoaded(1_024), Default.QueryLoaded(1_448), Default.QueryLoaded(2_048));
        Assert.Equal((low + high) / 2, middle, 4);
        Assert.True(low < high);
        Assert.Equal(low / 2, Default.QueryLoaded(512), 6);
    }

    [Fact]
    public void Charge_LargerDocumentOrMoreTerms_NeverCostsLess() => Prop.ForAll(
        ArbMap.Default.ArbFor<NonNegativeInt>(), ArbMap.Default.ArbFor<NonNegativeInt>(),
        (bytes, terms) => Default.Create(bytes.Get * 97L, terms.Get) is var charge
            && Default.Create((bytes.Get + 1) * 97L, terms.Get) >= charge && Default.Create(bytes.Get * 97L, terms.Get + 1) >= charge
            && Default.Read((bytes.Get + 1) * 97L) >= Default.Read(bytes.Get * 97L)
            && Default.QueryLoaded((bytes.Get + 1) * 97L) > Default.QueryLoaded(bytes.Get * 97L))
        .QuickCheckThrowOnFailure();

    /// <summary>The documentation's examples count 5.0 RU for 1 KB where its table has 4.95.</summary>
    [Fact]
    public void Write_OfTheDocumentationsExamples_IsExactWithTheirRoundedKilobyte()
    {
        var rounded = new ChargeModel(
            Default.ReadPoints, [new(Kilobyte, 5), new(2 * Kilobyte, 6.29)], IndexCharges.Documented, Default.PatchedProperty,
            Default.Query);

        Assert.Equal(7, rounded.Create(Kilobyte, 10));
        Assert.Equal(10.8, rounded.Replace(Kilobyte, Kilobyte, 4, true));
        Assert.Equal(11.6, rounded.Patch(10.8, 2));
        Assert.Equal(7, rounded.Delete(Kilobyte, 10));
    }

    [Fact]
    public void Replace_DocumentThatGrows_CostsTheOldAndTheNewSize() =>
        // 4.95 at 1 KB, 6.67 at 4 KB, and 0.265 for each of four entries.
        Assert.Equal(12.68, Default.Replace(Kilobyte, 4 * Kilobyte, 4, true));

    /// <summary>Two charges that only the index makes: the least one of few entries, and what each of many costs.</summary>
    [Fact]
    public void Index_FewAndManyEntries_CostAtLeastTheFixedChargeAndThenEach()
    {
        Assert.Equal((4.95, 5.91, 5.91), (Default.Create(155, 0), Default.Create(155, 1), Default.Create(155, 3)));
        // 0.265 for each of four and of ten.
        Assert.Equal((6.01, 7.6), (Default.Create(155, 4), Default.Create(155, 10)));
        Assert.Equal((9.9, 10.31, 10.43), (
            Default.Replace(155, 155, 0, false), Default.Replace(155, 155, 0, true), Default.Replace(155, 155, 2, true)));
    }

    [Theory]
    [InlineData(0.125, 0.13)]
    [InlineData(0.375, 0.38)]
    [InlineData(0.1249, 0.12)]
    public void Round_HalfAHundredth_GoesUp(double charge, double rounded) => Assert.Equal(rounded, ChargeModel.Round(charge));

    [Fact]
    public void Charges_OnAHotPath_AllocateNothing()
    {
        var sum = Default.Create(70_000, 5) + Default.Read(70_000) + Default.Replace(100, 70_000, 4, true);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var bytes = 0; bytes < 100_000; bytes += 37)
            sum += Default.Create(bytes, 5) + Default.Read(bytes) + Default.Replace(100, bytes, 4, true)
                + Default.QueryLoaded(bytes);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.True(sum > 0);
    }

    [Fact]
    public void Charge_NegativeSizeOrCount_Throws()
    {
        Func<double>[] negative =
        [
            () => Default.Read(-1), () => Default.Create(-1, 0), () => Default.Create(0, -1), () => Default.Delete(0, -1),
            () => Default.Replace(-1, 0, 0, true), () => Default.Replace(0, -1, 0, true), () => Default.Replace(0, 0, -1, true),
            () => new ChargeModel(Default.ReadPoints, Default.WritePoints, Default.Index, -0.1, Default.Query).PatchedProperty,
        ];

        Assert.All(negative, charge => Assert.Throws<ArgumentOutOfRangeException>(() => charge()));
    }

    /// <summary>The operations of the published figures are charged as the model's own.</summary>
    [Fact]
    public void ChargedOperation_OfAPublishedFigure_IsChargedByTheModel()
    {
        // Two operations of 0.4 RU on an indexed document of which no entry changes.
        Assert.Equal(11.11, new ChargedPatch(155, ModifiedTerms: 0, Properties: 2).ChargeBy(Default));
        Assert.Equal(10.43, new ChargedReplace(155, ModifiedTerms: 1).ChargeBy(Default));
        Assert.Equal(7.6, new ChargedDelete(155, 10).ChargeBy(Default));
        Assert.Equal(3.12, new ChargedFeed(3, 2_048).ChargeBy(Default), precision: 6);
        Assert.Equal((1.04, 2.08), (new ChargedRead(2_048).ChargeBy(Default), new ChargedRead(2_048) { Strong = true }.ChargeBy(Default)));
    }

    [Fact]
    public void Model_PointsThatDoNotAscend_Throws()
    {
        Assert.Throws<ArgumentException>(() => WithReads([new(2_048, 1), new(1_024, 2)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(1_024, 1)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(0, 1), new(1_024, 2)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(1_024, 1), new(1_024, 2)]));
        var error = Assert.Throws<ArgumentException>(() => WithReads([new(1_024, 1), new(2_048, 2), new(512, 3)]));
        Assert.StartsWith("A curve needs at least two points, by ascending size from above 0 bytes.", error.Message);

        static ChargeModel WithReads(SizeCharge[] reads) => new(reads, Default.WritePoints, IndexCharges.Documented, 0.4, Default.Query);
    }
}
