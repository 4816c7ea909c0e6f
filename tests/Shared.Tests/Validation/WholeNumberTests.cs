using System.Numerics;
using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Validation;

public sealed class WholeNumberTests
{
    [Theory]
    [InlineData("0", 0L)]
    [InlineData("-0.0", 0L)]
    [InlineData("0e99999999999999999999", 0L)]
    [InlineData("1e6", 1_000_000L)]
    [InlineData("1.0", 1L)]
    [InlineData("1.50e1", 15L)]
    [InlineData("120e-1", 12L)]
    [InlineData("-1200E-2", -12L)]
    [InlineData("9223372036854775807", long.MaxValue)]
    [InlineData("9223372036854775808", long.MaxValue)]
    [InlineData("-9223372036854775809", long.MinValue)]
    [InlineData("1e400", long.MaxValue)]
    [InlineData("-1e99999999999999999999", long.MinValue)]
    [InlineData("1.5", null)]
    [InlineData("1e-1", null)]
    [InlineData("1e-99999999999999999999", null)]
    [InlineData("1.00000000000000000000000000000000000001", null)]
    public void Parse_JsonNumber_IsExact(string text, long? expected) => Assert.Equal(expected, WholeNumber.Parse(text));

    [Fact]
    public void Parse_MantissaAndExponent_AgreesWithBigArithmetic() => Properties.Holds(Prop.ForAll(
        ArbMap.Default.ArbFor<int>(), Gen.Choose(0, 9_999).ToArbitrary(), Gen.Choose(-6, 6).ToArbitrary(),
        (whole, decimals, exponent) =>
        {
            var text = string.Create(CultureInfo.InvariantCulture, $"{whole}.{decimals:0000}e{exponent}");
            // The value times 10^10 is whole for every such text.
            var sign = text[0] == '-' ? -1 : 1;
            var scaled = sign * (BigInteger.Abs(whole) * 10_000 + decimals) * BigInteger.Pow(10, exponent + 6);
            var (quotient, rest) = (BigInteger.Divide(scaled, BigInteger.Pow(10, 10)), scaled % BigInteger.Pow(10, 10));
            return WholeNumber.Parse(text) == (rest.IsZero ? (long)quotient : null);
        }),
        cases: 1_000);
}
