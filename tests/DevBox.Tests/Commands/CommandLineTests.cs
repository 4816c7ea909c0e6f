namespace ScaleOut.Tests.DevBox.Commands;

public sealed class CommandLineTests
{
    private static IEnumerable<Command> Visible => CommandLine.Create().Subcommands.Where(command => !command.Hidden);

    public static TheoryData<string> Commands() => new(Visible.Select(command => command.Name));

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Help_OfACommand_EndsWithTwoExamplesThatParse(string name)
    {
        using var folder = new TemporaryFolder();
        var command = Assert.IsType<CommandWithExamples>(Visible.Single(command => command.Name == name));
        var help = await DevBoxCommand.RunAsync(folder.Path, [name, "--help"]);

        Assert.Equal(2, command.Examples.Count);
        Assert.Contains($"  devbox {name} ", help.Output, StringComparison.Ordinal);
        var shown = help.Output[help.Output.IndexOf("Examples:", StringComparison.Ordinal)..].Split('\n')
            .Where(line => line.StartsWith("  devbox ", StringComparison.Ordinal)).Select(line => line["  devbox ".Length..].TrimEnd());
        Assert.Equal(command.Examples.Select(example => example.Line), shown);
        foreach (var line in command.Examples.Select(example => example.Line))
        {
            var words = ShellCommand.Read(line).Single().Words;
            Assert.Equal(name, words[0]);
            Assert.Empty(new UnknownOptions(command, [], [.. words.Skip(1)]).Errors);
            Assert.Empty(CommandLine.Create().Parse([.. words]).Errors);
        }
    }

    /// <summary>Who types only the name gets three commands to begin with, and no load begins.</summary>
    [Fact]
    public async Task Invoke_WithoutArguments_ShowsThreeCommandsThatParse()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(folder.Path, []);
        var shown = program.Output.Split('\n').Where(line => line.StartsWith("  devbox ", StringComparison.Ordinal))
            .Select(line => line["  devbox ".Length..].TrimEnd()).ToList();

        Assert.Equal(ExitCode.Complete, program.ExitCode);
        Assert.Equal(["run", "size", "serve"], shown.Select(line => line.Split(' ')[0]));
        Assert.All(shown, line => Assert.Empty(CommandLine.Create().Parse([.. ShellCommand.Read(line).Single().Words]).Errors));
        Assert.All(program.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
    }

    [Theory]
    [MemberData(nameof(Commands))]
    [InlineData("")]
    public async Task Help_InEightyColumns_FitsAndNamesEachOptionInAGroup(string name)
    {
        using var folder = new TemporaryFolder();
        string[] arguments = [.. name.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"];
        var help = await DevBoxCommand.RunAsync(folder.Path, arguments, new Dictionary<string, string> { ["COLUMNS"] = "80" });
        var lines = help.Output.Split('\n').Select(line => line.TrimEnd()).ToList();

        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
        Assert.All(
            Visible.Where(command => command.Name == name).SelectMany(command => command.Options).Where(option => !option.Hidden),
            option => Assert.Single(lines, line => $"{line} ".StartsWith($"  {option.Name} ", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Help_OfRun_HasItsOptionsInGroups()
    {
        using var folder = new TemporaryFolder();
        var help = await DevBoxCommand.RunAsync(folder.Path, ["run", "--help"]);
        var lines = help.Output.Split('\n').Select(line => line.TrimEnd()).ToList();
        var groups = lines.Where(line => line.EndsWith(':') && line[0] != ' ').SkipWhile(line => line != "Options:").ToList();
        string GroupOf(string option) => lines.Take(lines.FindIndex(line => line.StartsWith($"  {option} ", StringComparison.Ordinal)))
            .Last(groups.Contains);

        Assert.Equal(["Options:", "Common:", "Load:", "Documents:", "Target:", "Report:", "Examples:"], groups);
        Assert.Equal(
            ["Common:", "Load:", "Load:", "Documents:", "Target:", "Target:", "Report:"],
            new[] { "--id", "--workers", "--mode", "--csv", "--throughput", "--account", "--json" }.Select(GroupOf));
    }

    [Theory]
    [InlineData("120", 100, 120)]
    [InlineData("not a number", 60, 80)]
    [InlineData("5", 60, 80)]
    public async Task Help_OtherColumns_AreUsedIfTheyAreEnough(string columns, int least, int most)
    {
        using var folder = new TemporaryFolder();
        var help = await DevBoxCommand.RunAsync(folder.Path, ["run", "--help"], new Dictionary<string, string> { ["COLUMNS"] = columns });
        Assert.InRange(help.Output.Split('\n').Max(line => line.TrimEnd().Length), least, most);
    }

    [Theory]
    [InlineData("help", "size")]
    [InlineData("help")]
    public async Task Invoke_Help_IsTheOptionOfThatName(params string[] arguments)
    {
        using var folder = new TemporaryFolder();
        var (named, asked) = (
            await DevBoxCommand.RunAsync(folder.Path, [.. arguments[1..], "--help"]), await DevBoxCommand.RunAsync(folder.Path, arguments));
        Assert.Equal((ExitCode.Complete, named.Output), (asked.ExitCode, asked.Output));
    }

    /// <summary>An option that several commands have takes the same kind of value in each of them.</summary>
    [Fact]
    public void Options_OfOneName_HaveOneMeaning()
    {
        var options = Visible.SelectMany(command => command.Options).OfType<Option>().ToLookup(option => option.Name);
        string?[] ValuesOf(string name) => [.. options[name].Select(option => option.HelpName).Distinct()];

        Assert.Equal("file", Assert.Single(ValuesOf("--json")));
        Assert.Equal("folder", Assert.Single(ValuesOf("--out")));
        Assert.Equal("file", Assert.Single(ValuesOf("--report")));
        Assert.All(options["--report"], option => Assert.Contains(".html or .md", option.Description, StringComparison.Ordinal));
        Assert.Equal("property[,property]", Assert.Single(ValuesOf("--partition-key")));
        Assert.All(options, same => Assert.Single(same.Select(option => option.ValueType == typeof(bool)).Distinct()));
        Assert.DoesNotContain("--key", options.Select(same => same.Key));
    }

    /// <summary>The kinds in a command's help are those that it takes.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("size", "--workers", "1", "--cpu-per-operation", "0.3ms")]
    [InlineData("limit", "--account", "http://127.0.0.1:1/", "--mode", "Gateway", "--preload", "100")]
    public async Task Workload_OfTheHelp_HasTheKindsThatTheCommandTakes(string name, params string[] arguments)
    {
        using var folder = new TemporaryFolder();
        var command = Visible.Single(command => command.Name == name);
        var option = command.Options.OfType<SpecOption>().Single(option => option.Name == "--workload");
        option.Explain();
        var named = option.HelpName!.Split('|');

        foreach (var kind in Enum.GetValues<WorkloadKind>().Select(kind => EnumNames.NameOf(kind)).Except(["mix", "query", "action"]))
        {
            var ended = await DevBoxCommand.RunAsync(folder.Path, [name, .. arguments, "--workload", kind]);
            var rejected = ended.Errors.Split('\n').Any(line => line.StartsWith("error: workload.kind", StringComparison.Ordinal)
                || line.StartsWith("error: workload.tables", StringComparison.Ordinal)
                || line.Contains("tableBatch", StringComparison.Ordinal));
            Assert.True(named.Contains(kind) != rejected, $"{kind}: {ended.Output}{ended.Errors}");
        }
    }

    [Theory]
    [InlineData("run --work", "--workers", "--workload")]
    [InlineData("run --workload ", "insert", "upsert")]
    [InlineData("limit --workload ta", "")]
    [InlineData("plans ord", "orders")]
    [InlineData("val", "validate")]
    public async Task Suggest_BeginOfAWord_CompletesIt(string line, params string[] expected)
    {
        using var folder = new TemporaryFolder();
        var all = $"devbox {line}";
        var ended = await DevBoxCommand.RunAsync(folder.Path, [$"[suggest:{all.Length}]", all]);

        Assert.True(ended.ExitCode == 0, ended.Errors);
        var suggested = ended.Output.Split('\n', StringSplitOptions.TrimEntries);
        Assert.All(expected, one => Assert.Contains(one, suggested));
        Assert.DoesNotContain("tableBatch", line.StartsWith("limit", StringComparison.Ordinal) ? suggested : []);
    }
}
