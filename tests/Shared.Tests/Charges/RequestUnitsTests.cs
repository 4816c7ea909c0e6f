namespace ScaleOut.Tests.Shared.Charges;

public sealed class RequestUnitsTests
{
    [Theory]
    [InlineData(132, 6.29)]
    [InlineData(224, 10.67)]
    [InlineData(26, 1.24)]
    // 100 creates of 148/21 RU are rounded once.
    [InlineData(14_800, 704.76)]
    public void Rounded_21sts_IsTheNearestHundredth(long twentyFirsts, double expected) =>
        Assert.Equal(expected, RequestUnits.FromTwentyFirsts(twentyFirsts).Rounded().Value);

    /// <summary>Every charge that the service states, with two decimals or as a 21st, comes back as it was.</summary>
    [Fact]
    public void From_StatedCharges_LosesNothing()
    {
        for (var i = 0; i < 200_000; i++)
        {
            Assert.Equal(i / 100.0, RequestUnits.From(i / 100.0).Value);
            Assert.Equal(RequestUnits.FromTwentyFirsts(i), RequestUnits.From(i / 21.0));
        }
    }

    /// <summary>Files of earlier versions hold sums of doubles.</summary>
    [Theory]
    [InlineData(0, "0")]
    [InlineData(5.71, "5.71")]
    [InlineData(1_000_000, "1000000")]
    [InlineData(6_290_000.000_000_01, "6290000")]
    [InlineData(148 / 21.0, "7.0476190476190474")]
    public void Json_Charge_IsTheNumberOfRequestUnits(double charge, string json)
    {
        var units = RequestUnits.From(charge);
        Assert.Equal(json, JsonSerializer.Serialize(units, ScaleOutJson.Compact));
        Assert.Equal(json, JsonSerializer.Serialize(units.Value, ScaleOutJson.Compact));
        Assert.Equal(units, JsonSerializer.Deserialize<RequestUnits>(charge.ToString("R", CultureInfo.InvariantCulture)));
    }

    [Theory]
    [InlineData(0.125, 13)]
    [InlineData(0.1249, 12)]
    [InlineData(0, 0)]
    public void Hundredths_HalfOfOne_GoesUp(double charge, long expected) =>
        Assert.Equal(expected, RequestUnits.From(charge).Hundredths);

    [Fact]
    public void Sum_OfAMillionCharges_IsExact()
    {
        var sum = RequestUnits.Zero;
        for (var i = 0; i < 1_000_000; i++)
            sum += RequestUnits.From(6.29);
        Assert.Equal(6_290_000, sum.Value);
        Assert.Equal(sum, RequestUnits.From(6.29) * 1_000_000);
    }
}
