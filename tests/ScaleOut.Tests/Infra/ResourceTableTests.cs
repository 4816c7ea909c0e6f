using System.Text.RegularExpressions;

namespace ScaleOut.Tests.Infra;

public sealed partial class ResourceTableTests
{
    private const string AccessFile = "app/access.bicep";

    private static readonly string Readme = InfraFiles.Read("README.md");

    [Fact]
    public void Readme_ResourcesAndRoles_AreThoseOfTheBicepFiles()
    {
        var declared = InfraFiles.Bicep.SelectMany(file => file.Resources.Select(resource => $"{file.Path} {resource.Symbol} {resource.Type}"));

        var resources = MarkdownTable.Under(Readme, "## Resources")
            .Select(cells => $"{MarkdownTable.Code(cells[0])} {MarkdownTable.Code(cells[1])} {MarkdownTable.Code(cells[2])}");
        var roles = MarkdownTable.Under(Readme, "## Roles")
            .Select(cells => $"{AccessFile} {MarkdownTable.Code(cells[0])} {MarkdownTable.Code(cells[1])}");

        Assert.Equal(declared.Order(StringComparer.Ordinal), resources.Concat(roles).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("## Resources")]
    [InlineData("## Roles")]
    public void Readme_EveryRow_SaysWhy(string heading) =>
        Assert.All(MarkdownTable.Under(Readme, heading), cells => Assert.NotEmpty(cells[^1]));

    [Fact]
    public void Readme_BuiltInRoles_AreNamedWithTheirIds()
    {
        var ids = BicepFile.TextsIn(InfraFiles.Read(AccessFile), RoleId());

        Assert.NotEmpty(ids);
        Assert.All(ids, id => Assert.Contains(MarkdownTable.Under(Readme, "## Roles"), cells => cells[2].Contains(id, StringComparison.Ordinal)));
    }

    [Fact]
    public void Readme_ActionsOfTheCustomRole_AreThoseOfTheRole()
    {
        var actions = BicepFile.TextsIn(InfraFiles.Read(AccessFile), Action());

        Assert.NotEmpty(actions);
        Assert.Equal(actions, BicepFile.TextsIn(Readme, ListedAction()));
        Assert.DoesNotContain(actions, action => action.Contains('*', StringComparison.Ordinal));
    }

    [Fact]
    public void Bicep_EveryModule_IsAFile() => Assert.All(
        InfraFiles.Bicep.SelectMany(file => file.Modules),
        module => Assert.Contains(InfraFiles.Bicep, file => file.Path == module));

    [GeneratedRegex(@"^var \w+ = '(?<text>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})'$", RegexOptions.Multiline)]
    private static partial Regex RoleId();

    [GeneratedRegex(@"^ +'(?<text>Microsoft\.DocumentDB/[^']+)'$", RegexOptions.Multiline)]
    private static partial Regex Action();

    [GeneratedRegex(@"^- `(?<text>Microsoft\.DocumentDB/[^`]+)`$", RegexOptions.Multiline)]
    private static partial Regex ListedAction();
}
