namespace ScaleOut.Tests.DevBox.Commands;

public class SpecOptionTests
{
    [Theory]
    [InlineData("100", "100")]
    [InlineData("1e6", "1e6")]
    [InlineData("-3", "-3")]
    [InlineData("100,000", "100000")]
    [InlineData("1,234,567.5", "1234567.5")]
    [InlineData("1,5", "\"1,5\"")]
    [InlineData("1000,000", "\"1000,000\"")]
    [InlineData("bulk", "\"bulk\"")]
    [InlineData("12abc", "\"12abc\"")]
    [InlineData("true", "\"true\"")]
    [InlineData("null", "\"null\"")]
    [InlineData("{}", "\"{}\"")]
    [InlineData("", "\"\"")]
    public void ToJson_AnyText_IsANumberOrAString(string text, string json) =>
        Assert.Equal(json, SpecOption.ToJson(text).ToJsonString(JsonSerializerOptions.Default));

    [Theory]
    [InlineData("id", "42", "\"42\"")]
    [InlineData("workload.ofRun", "42", "\"42\"")]
    [InlineData("limit.until", "1", "\"1\"")]
    [InlineData("workers", "42", "42")]
    [InlineData("limit.from", "42", "42")]
    [InlineData("workload.kind", "bulk", "\"bulk\"")]
    public void ValueOf_AnyField_HasTheFieldsType(string path, string text, string json) =>
        Assert.Equal(json, new SpecOption("--some", path).ValueOf(text).ToJsonString(JsonSerializerOptions.Default));

    [Fact]
    public void Explain_EveryOptionOfEveryCommand_HasTheFieldsOwnHelp()
    {
        Command[] commands =
        [
            new RunCommand().Create(), new ExperimentCommand().Create(), new LimitCommand().Create(), new SizeCommand().Create(),
            new AccountCommand().Create(),
        ];
        foreach (var option in commands.SelectMany(command => command.Options.OfType<SpecOption>()))
        {
            option.Explain();
            Assert.True(option is { HelpName.Length: > 0, Description.Length: > 10 }, option.Name);
        }
    }

    [Theory]
    [InlineData("documents", "n", " 1 to 1,000,000,000,000, default 1,000,000.")]
    [InlineData("client.rate", "n", " 0.001 to 1,000,000.")]
    [InlineData("client.connectionMode", "Gateway|Direct", " Default Direct.")]
    [InlineData("container.name", "text", "")]
    [InlineData("seed", "n", " Default 1.")]
    [InlineData("limit.precision", "n", " 0.01 to 1, default 0.05.")]
    public void Explain_Field_SaysItsNamesRangeAndDefault(string path, string valueName, string bounds)
    {
        var option = new SpecOption("--some", path);
        option.Explain();
        Assert.Equal(valueName, option.HelpName);
        Assert.EndsWith("." + bounds, option.Description, StringComparison.Ordinal);
    }
}
