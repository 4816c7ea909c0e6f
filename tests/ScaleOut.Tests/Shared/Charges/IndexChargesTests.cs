namespace ScaleOut.Tests.Shared.Charges;

public sealed class IndexChargesTests
{
    private static readonly IndexCharges Charges = new() { Term = 0.3, LeastOfWrite = 1, LeastOfReplace = 0.5 };

    [Fact]
    public void Write_AnyNumberOfEntries_CostsEachAndAtLeastTheMinimum()
    {
        Assert.Equal([0, 1, 1, 1.2, 3], new[] { 0, 1, 3, 4, 10 }.Select(terms => Math.Round(Charges.Write(terms), 6)));
        Assert.Equal([0, 0.2, 2], new[] { 0, 1, 10 }.Select(IndexCharges.Documented.Write));
    }

    [Fact]
    public void Replace_AnyNumberOfEntries_CostsTheMinimumIfThereIsAnyEntry()
    {
        Assert.Equal((0, 0.5), (Charges.Replace(0, isIndexed: false), Charges.Replace(0, isIndexed: true)));
        Assert.Equal((0.5, 0.5), (Charges.Replace(1, isIndexed: false), Charges.Replace(1, isIndexed: true)));
        Assert.Equal(1.2, Charges.Replace(4, isIndexed: true), precision: 6);
    }

    /// <summary>
    /// Documents of 1,000, 2,000 and 4,000 bytes cost 5, 7.3 and 9.9 RU without an index. A charge that was rounded to 1 RU may be half of
    /// one more or less.
    /// </summary>
    [Fact]
    public void Fit_RoundedCharges_IsTheMiddleOfWhatAllPermit()
    {
        var fit = IndexCharges.Fit(
            [
                // The entry costs 0.5 to 1.5, 0.2 to 1.2, and 0.6 to 1.6: all permit 0.6 to 1.2.
                Point(new ChargedCreate(1_000, 1), 6, 1), Point(new ChargedCreate(2_000, 1), 8, 1),
                Point(new ChargedCreate(4_000, 1), 11, 1),
                // 50 entries cost 15.
                Point(new ChargedCreate(1_000, 50), 20, 0),
                // The entries cost 0.5 to 1.5, and -0.1 to 0.9: both permit 0.5 to 0.9.
                Point(new ChargedReplace(1_000, 0), 11, 1), Point(new ChargedReplace(2_000, 0), 15, 1),
                // Other operations are not fitted.
                Point(new ChargedRead(1_000), 1, 0),
            ],
            new SizeCurve([new(1_000, 5), new(2_000, 7.3), new(4_000, 9.9)]));

        Assert.Equal(new IndexCharges { Term = 0.3, LeastOfWrite = 0.9, LeastOfReplace = 0.7 }, fit);

        static ChargePoint Point(ChargedOperation operation, double requestUnits, double roundedTo) =>
            ChargePoint.Create(ChargeUse.Fit, "point", operation, requestUnits, "", null) with { RoundedTo = roundedTo };
    }
}
