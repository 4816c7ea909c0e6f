namespace ScaleOut.Tests.Simulator.Engine.Queries.Values;

public sealed class JsonNumberTests
{
    /// <summary>As a recorded account kept and returned them (plans/published/recorded-account.jsonl, requests 61 and 62).</summary>
    [Theory]
    [InlineData("9007199254740993", "9007199254740993")]
    [InlineData("18446744073709551615", "18446744073709551615")]
    [InlineData("-9223372036854775808", "-9223372036854775808")]
    [InlineData("18446744073709551616", "1.8446744073709552e+019")]
    [InlineData("123456789012345678901234567890", "1.2345678901234568e+029")]
    [InlineData("0.1000000000000000055511151231257827", "0.1")]
    [InlineData("1.0", "1")]
    [InlineData("-0.0", "0")]
    [InlineData("-0", "0")]
    [InlineData("0", "0")]
    [InlineData("-7", "-7")]
    [InlineData("1.7976931348623157e308", "1.7976931348623157e+308")]
    [InlineData("5e-324", "4.94065645841247e-324")]
    [InlineData("1e-400", "0")]
    [InlineData("12345678901234567890.123", "1.2345678901234567e+019")]
    [InlineData("1e2", "100")]
    [InlineData("0.50", "0.5")]
    [InlineData("0.00001", "1e-005")]
    [InlineData("-12.25", "-12.25")]
    public void WriteStored_AnyNumber_IsInTheServicesForm(string sent, string kept)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        JsonNumber.WriteStored(output, Encoding.UTF8.GetBytes(sent));
        Assert.Equal(kept, Encoding.UTF8.GetString(output.WrittenSpan));
        Assert.True(JsonNumber.TryCheckStored(Encoding.UTF8.GetBytes(sent), out var isKept));
        Assert.Equal(sent == kept, isKept);
    }

    [Theory]
    [InlineData("1e400")]
    [InlineData("-1e309")]
    public void TryCheckStored_NumberThatNoDoubleHolds_IsRefused(string sent) =>
        Assert.False(JsonNumber.TryCheckStored(Encoding.UTF8.GetBytes(sent), out _));

    /// <summary>Whatever is kept is the same number, and is kept again as it is.</summary>
    [Fact]
    public void WriteStored_RandomNumbers_KeepTheirValueAndForm()
    {
        var random = new Random(5);
        for (var i = 0; i < 20_000; i++)
        {
            var value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            if (i % 2 == 0)
                value = Math.Round(random.NextDouble() * Math.Pow(10, random.Next(12)), random.Next(6));
            if (!double.IsFinite(value))
                continue;
            var output = new System.Buffers.ArrayBufferWriter<byte>();
            JsonNumber.WriteStored(output, Encoding.UTF8.GetBytes(value.ToString("R", CultureInfo.InvariantCulture)));
            Assert.Equal(value, double.Parse(output.WrittenSpan, CultureInfo.InvariantCulture));
            Assert.True(JsonNumber.TryCheckStored(output.WrittenSpan, out var isKept) && isKept);
        }
    }
}

public sealed class SurrogateTextTests
{
    [Theory]
    [InlineData("a\\ud800b", "a\uFFFDb")]
    [InlineData("\\udc00\\ud800", "\uFFFD\uFFFD")]
    [InlineData("\\ud83d\\ude00\\n", "\\ud83d\\ude00\\n")]
    [InlineData("\\\\ud800", "\\\\ud800")]
    [InlineData("\\u00e9\\\\", "\\u00e9\\\\")]
    [InlineData("\\ud83d", "\uFFFD")]
    public void WriteWhole_EscapedText_ReplacesHalvesOfPairs(string escaped, string expected)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var hasHalf = SurrogateText.WriteWhole(output, Encoding.UTF8.GetBytes(escaped));
        Assert.Equal(expected, Encoding.UTF8.GetString(output.WrittenSpan));
        Assert.Equal(expected != escaped, hasHalf);
        Assert.Equal(hasHalf, SurrogateText.HasHalf(Encoding.UTF8.GetBytes(escaped)));
    }
}
