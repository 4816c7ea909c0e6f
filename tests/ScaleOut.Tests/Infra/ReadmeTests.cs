using System.Text.RegularExpressions;
using ScaleOut.Tests.Shared.Specs;

namespace ScaleOut.Tests.Infra;

/// <summary>The commands and files that the documents name exist.</summary>
public sealed partial class ReadmeTests
{
    // Written by what stands before them in the text.
    private static readonly string[] Made = ["Orchestrator/local.settings.json", "report.html", "prices.json", "profile.json", "publish"];

    // Set by azd itself.
    private static readonly string[] OfAzd = ["AZURE_SUBSCRIPTION_ID"];

    [Theory]
    [InlineData("README.md")]
    [InlineData("infra/README.md")]
    [InlineData("CONTRIBUTING.md")]
    [InlineData("CHANGELOG.md")]
    public void Links_ToFiles_ExistWithTheirHeadings(string document)
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

    [Theory]
    [InlineData("README.md", 10)]
    [InlineData("CONTRIBUTING.md", 4)]
    public void Commands_NameFilesThatExist(string document, int atLeast)
    {
        var paths = Fence().Matches(InfraFiles.ReadTop(document))
            .SelectMany(fence => NamedPath().Matches(fence.Value))
            .Select(match => match.Groups["path"].Value)
            .Where(path => !Made.Contains(path) && !path.StartsWith("runs/", StringComparison.Ordinal))
            .ToList();

        Assert.True(paths.Count >= atLeast, $"{document}: only {string.Join(", ", paths)}");
        Assert.All(paths, path => Assert.True(Path.Exists(Path.Combine(RepositoryFiles.Root, path)), $"{document}: {path}"));
    }

    /// <summary>What is read from azd's environment is there after `azd provision`.</summary>
    [Theory]
    [InlineData("README.md")]
    [InlineData("infra/README.md")]
    public void Commands_ReadOutputsOfTheDeployment(string document)
    {
        var names = Regex.Matches(InfraFiles.ReadTop(document), @"azd env get-value (?<name>\w+)")
            .Select(match => match.Groups["name"].Value)
            .ToHashSet();

        Assert.NotEmpty(names);
        Assert.Subset(InfraFiles.Outputs.Concat(OfAzd).ToHashSet(), names);
    }

    [Fact]
    public void Commands_SetVariablesOfParameters()
    {
        var names = Regex.Matches(InfraFiles.ReadTop("README.md") + InfraFiles.Read("README.md"), @"azd env set (?<name>[A-Z_]+)")
            .Select(match => match.Groups["name"].Value).ToHashSet();

        Assert.Superset(new HashSet<string> { "MAX_RUS", "VNET_ENABLED" }, names);
        Assert.Subset(InfraFiles.Variables.ToHashSet(), names);
    }

    /// <summary>The CLI's own default subscription may be another one than azd's.</summary>
    [Fact]
    public void Commands_OfTheAzureCli_NameTheSubscription()
    {
        const string subscription = "--subscription \"$(azd env get-value AZURE_SUBSCRIPTION_ID)\"";

        var command = Assert.Single(Regex.Matches(InfraFiles.ReadTop("README.md"), @"az functionapp keys list(.*\\\n)*.*"));

        Assert.Contains(subscription, command.Value, StringComparison.Ordinal);
    }

    private static string AnchorOf(string heading) =>
        Regex.Replace(heading.ToLowerInvariant(), "[^a-z0-9 -]", "").Replace(' ', '-');

    [GeneratedRegex(@"\]\((?<target>(?!https?:)[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("^#+ (?<text>.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"^```\n(.*\n)*?```$", RegexOptions.Multiline)]
    private static partial Regex Fence();

    // A folder of the repository and what is in it, a file with an ending, or the argument of --project and cd.
    [GeneratedRegex(
        @"(?<=[\s""])(?<path>(plans|tests|infra|bench|docs|runs|Orchestrator)/[\w./-]+|[\w.]+\.(json|slnx|http|yaml))(?=[\s""]|$)"
        + @"|(--project|\bcd|publish) (?<path>[A-Z]\w+)",
        RegexOptions.Multiline)]
    private static partial Regex NamedPath();
}
