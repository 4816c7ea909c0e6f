namespace ScaleOut.Tests.DevBox.Commands;

public class UnknownOptionsTests
{
    [Theory]
    [InlineData("spec.json --workers 4", "spec.json --workers 4")]
    [InlineData("--nope spec.json --workers 4", "--workers 4", "--nope")]
    [InlineData("spec.json --nope", "spec.json", "--nope")]
    [InlineData("--nope=5 spec.json", "spec.json", "--nope")]
    [InlineData("--nope:5 --other 6 spec.json", "spec.json", "--nope", "--other")]
    [InlineData("--nope --workers 4", "--workers 4", "--nope")]
    [InlineData("--workers --nope", "--workers --nope")]
    [InlineData("--workers=4 -x", "--workers=4", "-x")]
    [InlineData("--quick spec.json", "--quick spec.json")]
    [InlineData("-q --nope", "-q", "--nope")]
    [InlineData("--help --nope", "--help", "--nope")]
    [InlineData("--workers -3 -", "--workers -3 -")]
    [InlineData("-- --nope 5", "-- --nope 5")]
    [InlineData("", "")]
    public void Kept_AnyArguments_LeavesWhatTheCommandKnows(string arguments, string kept, params string[] unknown)
    {
        var found = Parse(arguments);
        Assert.Equal(kept.Split(' ', StringSplitOptions.RemoveEmptyEntries), found.Kept);
        Assert.Equal(unknown.Select(name => $"There is no option '{name}'."), found.Errors);
    }

    [Theory]
    [InlineData("--worker 4", "There is no option '--worker'; did you mean '--workers'?")]
    [InlineData("--secre 4", "There is no option '--secre'.")]
    public void Errors_MisspeltOption_SuggestsTheNearestUnlessItIsHidden(string arguments, string error) =>
        Assert.Equal([error], Parse(arguments).Errors);

    [Theory]
    [InlineData("--nope", false)]
    [InlineData("--nope=5", false)]
    [InlineData("--nope 5", true)]
    public void TookValue_UnknownOption_ReportsWhetherItTookAValue(string arguments, bool tookValue) =>
        Assert.Equal(tookValue, Parse(arguments).TookValue);

    [Fact]
    public void Kept_FileAfterAnUnknownOption_IsKept()
    {
        using var folder = new TemporaryFolder();
        var file = Path.Combine(folder.Path, "spec.json");
        File.WriteAllText(file, "{}");
        var found = new UnknownOptions(Command(), [], ["--nope", file]);
        Assert.Equal([file], found.Kept);
        Assert.False(found.TookValue);
    }

    private static UnknownOptions Parse(string arguments) =>
        new(Command(), [new Option<bool>("--help")], arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static Command Command()
    {
        var command = new Command("test");
        command.Options.Add(new Option<string?>("--workers"));
        command.Options.Add(new Option<bool>("--quick", "-q"));
        command.Options.Add(new Option<string?>("--secret") { Hidden = true });
        return command;
    }
}
