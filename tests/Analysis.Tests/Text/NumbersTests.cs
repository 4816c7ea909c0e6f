namespace ScaleOut.Tests.Analysis.Text;

public sealed class NumbersTests
{
    [Theory]
    [InlineData(0.0, "0")]
    [InlineData(0.012345, "0.0123")]
    [InlineData(5.714, "5.71")]
    [InlineData(57.14, "57.1")]
    [InlineData(571.4, "571")]
    [InlineData(5_714.4, "5,714")]
    [InlineData(5_710_000.2, "5,710,000")]
    [InlineData(-3.5, "-3.5")]
    [InlineData(9.996, "10")]
    [InlineData(0.0000123456, "0.0000123")]
    [InlineData(1e-7, "0.0000001")]
    [InlineData(-2.345e-9, "-0.00000000235")]
    [InlineData(1.234e-20, "1.23E-20")]
    [InlineData(null, "-")]
    [InlineData(double.NaN, "-")]
    public void Brief_Value_HasThreeDigits(double? value, string text) => Assert.Equal(text, Numbers.Brief(value));

    [Theory]
    [InlineData(0.0, "0%")]
    [InlineData(0.0532, "5.3%")]
    [InlineData(0.957, "96%")]
    [InlineData(0.00004, "<0.1%")]
    [InlineData(0.0005, "0.1%")]
    [InlineData(0.0996, "10%")]
    [InlineData(0.994, "99%")]
    [InlineData(0.996, ">99%")]
    [InlineData(0.99999, ">99%")]
    [InlineData(1.0, "100%")]
    [InlineData(1.02, "102%")]
    [InlineData(null, "-")]
    public void Percent_Share_IsShort(double? share, string text) => Assert.Equal(text, Numbers.Percent(share));

    /// <summary>A text at a limit is above that of the limit, wherever the share is above it.</summary>
    [Fact]
    public void PercentAbove_SharesJustAboveALimit_ReadAsAboveIt()
    {
        Assert.Equal(
            ["70.4%", "70.02%", "70.0001%", "93%"],
            new[] { 0.704, 0.7002, 0.700001, 0.93 }.Select(share => Numbers.PercentAbove(share, 0.7)));
        for (var excess = 1.0; excess > 1e-9; excess /= 1.7)
        {
            var text = Numbers.PercentAbove(0.7 + excess, 0.7);
            Assert.True(double.Parse(text[..^1], CultureInfo.InvariantCulture) > 70, text);
        }
    }

    [Theory]
    [InlineData(59.94, "59.9 s")]
    [InlineData(59.97, "1 min 0 s")]
    [InlineData(3_599.7, "1 h 0 min")]
    [InlineData(38.24, "38.2 s")]
    [InlineData(158.4, "2 min 38 s")]
    [InlineData(3_900, "1 h 5 min")]
    [InlineData(100_000, "27 h 46 min")]
    public void Duration_Seconds_ReadsNaturally(double seconds, string text) =>
        Assert.Equal((text, text), (Numbers.Duration(TimeSpan.FromSeconds(seconds)), Numbers.Duration(seconds)));

    [Fact]
    public void Duration_MoreSecondsThanATimeSpanHas_IsTheLongest() => Assert.Equal("27777777 h 46 min", Numbers.Duration(3e300));

    [Theory]
    [InlineData(7.9, 0, "0:07")]
    [InlineData(727, 0, "12:07")]
    [InlineData(11_527, 0, "3:12:07")]
    [InlineData(184_327, 0, "51:12:07")]
    [InlineData(30, 3_600, "0:00:30")]
    public void Elapsed_Seconds_HaveHoursWhereTheAxisHas(double seconds, double whole, string text) =>
        Assert.Equal(text, Numbers.Elapsed(seconds, whole));

    [Fact]
    public void Workers_ConsecutiveIndices_BecomeARange()
    {
        Assert.Equal("Worker 3", Words.Workers([3, 3]));
        Assert.Equal("Workers 0-3, 7", Words.Workers([7, 2, 0, 1, 3]));
    }

    [Fact]
    public void Amount_OneOrMore_FitsTheNoun() =>
        Assert.Equal(("1 leg", "2,000 legs"), (Words.Amount(1, "leg"), Words.Amount(2_000, "leg")));
}
