namespace ScaleOut.Tests.Infra;

/// <summary>The keys for reading and for starting that docs/azure.md makes, function by function.</summary>
public sealed partial class FunctionKeyTests
{
    /// <summary>The functions of each key are all functions that read, and all functions that change something.</summary>
    [Theory]
    [InlineData("reading", "ReadAsync")]
    [InlineData("starting", "StartAsync", "PostAsync")]
    public void Commands_OfAKey_SetItForAllFunctionsOfItsKind(string key, params string[] handlers)
    {
        var functions = Directory.GetFiles(Path.Combine(RepositoryFiles.Root, "Orchestrator", "Http"), "*Functions.cs")
            .SelectMany(path => Function().Matches(File.ReadAllText(path)))
            .Where(function => handlers.Contains(function.Groups["handler"].Value))
            .Select(function => function.Groups["name"].Value).ToList();
        var set = Loop().Matches(InfraFiles.ReadTop("docs/azure.md")).Single(loop => loop.Groups["key"].Value == key);

        Assert.NotEmpty(functions);
        Assert.Equal(functions.Order(StringComparer.Ordinal), set.Groups["functions"].Value.Split(' ').Order(StringComparer.Ordinal));
    }

    /// <summary>Every function of the interface needs a key, and is of one kind.</summary>
    [Fact]
    public void Functions_OfTheInterface_NeedAKey()
    {
        var sources = string.Concat(Directory.GetFiles(Path.Combine(RepositoryFiles.Root, "Orchestrator", "Http"), "*Functions.cs")
            .Select(File.ReadAllText));
        var count = Regex.Count(sources, @"\[HttpTrigger\(");
        Assert.Equal(count, Regex.Count(sources, @"\[HttpTrigger\(AuthorizationLevel\.Function,"));
        Assert.Equal(count, Function().Count(sources));
    }

    [GeneratedRegex(@"\[Function\(""(?<name>\w+)""\)\][^;]*?=>\s+request\.(?<handler>\w+)\(")]
    private static partial Regex Function();

    [GeneratedRegex(
        @"^for function in (?<functions>[\w ]+)\ndo\n  az functionapp function keys set (.*\\\n)+.*--key-name (?<key>\w+) .*\ndone$",
        RegexOptions.Multiline)]
    private static partial Regex Loop();
}
