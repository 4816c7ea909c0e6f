using System.Text.Json;
using ScaleOut.DevBox.Commands;

namespace ScaleOut.Tests.DevBox.Commands;

public class SpecOptionTests
{
    [Theory]
    [InlineData("100", "100")]
    [InlineData("1e6", "1e6")]
    [InlineData("-3", "-3")]
    [InlineData("bulk", "\"bulk\"")]
    [InlineData("12abc", "\"12abc\"")]
    [InlineData("true", "\"true\"")]
    [InlineData("null", "\"null\"")]
    [InlineData("{}", "\"{}\"")]
    [InlineData("", "\"\"")]
    public void ToJson_AnyText_IsANumberOrAString(string text, string json) =>
        Assert.Equal(json, SpecOption.ToJson(text).ToJsonString(JsonSerializerOptions.Default));
}
