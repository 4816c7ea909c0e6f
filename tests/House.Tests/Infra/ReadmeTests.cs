namespace ScaleOut.Tests.Infra;

/// <summary>The commands and files that the documents name exist.</summary>
public sealed partial class ReadmeTests
{
    // Files that earlier commands of the text write, or that are the reader's own.
    private static readonly string[] Made =
    [
        "Orchestrator/local.settings.json", "report.html", "report.json", "orders.json", "prices.json", "plans/prices.json", "profile.json",
        "publish",
    ];

    [Fact]
    public void Links_ToFiles_ExistWithTheirHeadings() =>
        Assert.All([.. DocumentText.Files, "infra/README.md", "infra/FIRST-DEPLOYMENT.md", "CHANGELOG.md"], AssertLinks);

    [Theory]
    [InlineData("README.md", 3)]
    [InlineData("docs/running.md", 2)]
    [InlineData("docs/experiments.md", 2)]
    [InlineData("docs/azure.md", 2)]
    [InlineData("CONTRIBUTING.md", 4)]
    public void Readme_Commands_NameFilesThatExist(string document, int atLeast)
    {
        var paths = DocumentText.Blocks(document, "")
            .SelectMany(block => NamedPath().Matches(block))
            .Select(match => match.Groups["path"].Value)
            .Where(path => !Made.Contains(path) && !path.StartsWith("runs/", StringComparison.Ordinal)).ToList();

        Assert.True(paths.Count >= atLeast, $"{document}: only {string.Join(", ", paths)}");
        Assert.All(paths, path => Assert.True(Path.Exists(Path.Combine(RepositoryFiles.Root, path)), $"{document}: {path}"));
    }

    /// <summary>Commands read only variables that a deployment leaves in azd's environment, or the subscription, which azd sets.</summary>
    [Theory]
    [InlineData("docs/azure.md")]
    [InlineData("infra/README.md")]
    [InlineData("infra/FIRST-DEPLOYMENT.md")]
    public void Readme_Commands_ReadOutputsOfTheDeployment(string document)
    {
        var names = Regex.Matches(InfraFiles.ReadTop(document), @"azd env get-value (?<name>\w+)")
            .Select(match => match.Groups["name"].Value).ToHashSet();
        Assert.NotEmpty(names);
        Assert.Subset(Deployment.Outputs.Append("AZURE_SUBSCRIPTION_ID").ToHashSet(), names);
    }

    /// <summary>The README is the front page; the documents beside it say the rest.</summary>
    [Fact]
    public void Readme_Length_IsShort() => Assert.InRange(
        InfraFiles.ReadTop("README.md").Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length, 1, 1_500);

    [Fact]
    public void Readme_Commands_SetVariablesOfParameters()
    {
        var names = Regex.Matches(InfraFiles.ReadTop("docs/azure.md") + InfraFiles.Read("README.md"), @"azd env set (?<name>[A-Z_]+)")
            .Select(match => match.Groups["name"].Value).ToHashSet();
        Assert.Superset(new HashSet<string> { "MAX_RUS", "VNET_ENABLED" }, names);
        Assert.Subset(InfraFiles.Variables.ToHashSet(), names);
    }

    /// <summary>The CLI's own default subscription may be another one than azd's.</summary>
    [Theory]
    [InlineData("docs/azure.md", 4)]
    [InlineData("infra/FIRST-DEPLOYMENT.md", 4)]
    public void Commands_OfTheAzureCli_NameTheSubscription(string document, int count)
    {
        var commands = Regex.Matches(InfraFiles.ReadTop(document), @"az functionapp \w+ [^`]*?--resource-group (.*\\\n)*.*").ToList();
        Assert.True(commands.Count >= count, $"{commands.Count}");
        Assert.All(commands, command => Assert.Matches(
            @"--subscription ""(\$SUBSCRIPTION|\$\(azd env get-value AZURE_SUBSCRIPTION_ID\))""", command.Value));
    }

    private static void AssertLinks(string document)
    {
        var folder = Path.GetDirectoryName(Path.Combine(RepositoryFiles.Root, document))!;

        Assert.All(Link().Matches(InfraFiles.ReadTop(document)).Select(match => match.Groups["target"].Value), target =>
        {
            var (path, heading) = (target.Split('#')[0], target.Split('#').ElementAtOrDefault(1));
            var full = path.Length == 0 ? Path.Combine(RepositoryFiles.Root, document) : Path.Combine(folder, path);
            Assert.True(Path.Exists(full), $"{document}: {target}");
            if (heading is not null)
                Assert.Contains(heading, Heading().Matches(File.ReadAllText(full)).Select(match => AnchorOf(match.Groups["text"].Value)));
        });
    }

    private static string AnchorOf(string heading) => Regex.Replace(heading.ToLowerInvariant(), "[^a-z0-9 -]", "").Replace(' ', '-');

    [GeneratedRegex(@"\]\((?<target>(?!https?:)[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("^#+ (?<text>.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    // A folder of the repository and what is in it, a file with an ending, or the argument of --project and cd.
    [GeneratedRegex(
        @"(?<=[\s""])(?<path>(plans|tests|infra|bench|docs|runs|Orchestrator)/[\w./-]+|[\w.]+\.(json|slnx|http|yaml))(?=[\s""]|$)"
        + @"|(--project|\bcd|publish) (?<path>[A-Z]\w+)",
        RegexOptions.Multiline)]
    private static partial Regex NamedPath();
}
