using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Costs;

public sealed class PriceListTests
{
    [Fact]
    public void Read_FileOfTheRepository_HasPricesForAllThatIsPublished()
    {
        var reading = PriceList.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Root, "infra", "prices.json")));
        Assert.Empty(reading.Errors);
        Assert.Equal((0.00008, 0.000052), (reading.Value!.RequestUnitPerSecondHour, reading.Value.InstanceSecond));
    }

    [Fact]
    public void Read_WholeFile_IsThePrices()
    {
        var reading = PriceList.Read(
            """{ "currency": "EUR", "requestUnitPerSecondHour": 0.00007, "gigabyteSecond": 1e-5, "source": "price list of March" }""");
        Assert.Empty(reading.Errors);
        Assert.Equal(
            new PriceList { Currency = "EUR", RequestUnitPerSecondHour = 0.00007, GigabyteSecond = 1e-5, Source = "price list of March" },
            reading.Value);
    }

    [Fact]
    public void Read_ManyErrors_NamesAllOfThem()
    {
        var reading = PriceList.Read("""{ "currency": "€", "requestUnitPerSecondHour": -1, "gigabyteSeconds": 1 }""");
        Assert.Null(reading.Value);
        Assert.Equal(
        [
            "currency: \"€\" is not a currency such as \"EUR\" (1 to 10 letters)",
            "requestUnitPerSecondHour: -1 is out of range 0..1000000",
            "gigabyteSecond: is missing",
            "gigabyteSeconds: unknown field; did you mean 'gigabyteSecond'?",
        ], reading.Errors.Select(error => error.ToString()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("null")]
    [InlineData("{")]
    [InlineData("7")]
    public void Read_NoPriceFile_IsOneError(string text)
    {
        var reading = PriceList.Read(text);
        Assert.Null(reading.Value);
        Assert.Single(reading.Errors);
    }

    [Fact]
    public void Read_RandomText_NeverThrows() => Properties.Holds(Prop.ForAll(
        Gen.Elements("{", "}", "\"currency\"", ":", ",", "\"EUR\"", "\"gigabyteSecond\"", "1", "null", "[", "]", "\uD800").ListOf()
            .Select(string.Concat).ToArbitrary(),
        text => PriceList.Read(text) is { Value: null, Errors.Count: > 0 } or { Value: not null, Errors.Count: 0 }));
}
