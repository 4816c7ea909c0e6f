namespace ScaleOut.Tests.Infra;

public sealed partial class ResourceTableTests
{
    private const string AccessFile = "app/access.bicep";
    private const string RoleFile = "app/role.bicep";

    private static readonly string Readme = InfraFiles.Read("README.md");

    [Fact]
    public void Readme_ResourcesAndRoles_AreThoseOfTheBicepFiles()
    {
        var declared = InfraFiles.Bicep
            .SelectMany(file => file.Resources.Select(resource => $"{file.Path} {resource.Symbol} {resource.Type}"));

        var listed = MarkdownTable.Under(Readme, "## Resources").Concat(MarkdownTable.Under(Readme, "## Roles"))
            .Select(cells => string.Join(' ', cells.Take(3).Select(MarkdownTable.Code)));

        Assert.Equal(declared.Order(StringComparer.Ordinal), listed.Order(StringComparer.Ordinal));
    }

    /// <summary>Where roles are made is where the table of roles looks, and nothing else is there.</summary>
    [Fact]
    public void Readme_Roles_AreInTheFilesOfRoles()
    {
        var files = MarkdownTable.Under(Readme, "## Roles").Select(cells => MarkdownTable.Code(cells[0])).ToHashSet();
        var types = InfraFiles.Bicep.Where(file => !files.Contains(file.Path))
            .SelectMany(file => file.Resources.Select(resource => resource.Type));

        Assert.Equal([AccessFile, RoleFile], files.Order(StringComparer.Ordinal));
        Assert.DoesNotContain(types, type => type.Contains("/role", StringComparison.OrdinalIgnoreCase)
            || type.Contains("/sqlRole", StringComparison.OrdinalIgnoreCase));
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
        var rows = MarkdownTable.Under(Readme, "## Roles");

        Assert.NotEmpty(ids);
        Assert.All(ids, id => Assert.Contains(rows, cells => cells[3].Contains(id, StringComparison.Ordinal)));
    }

    [Fact]
    public void Readme_ActionsOfTheCustomRole_AreThoseOfTheRole()
    {
        var actions = BicepFile.TextsIn(InfraFiles.Read(RoleFile), Action());

        Assert.NotEmpty(actions);
        Assert.Equal(actions, BicepFile.TextsIn(Readme, ListedAction()));
        Assert.DoesNotContain(actions, action => action.Contains('*', StringComparison.Ordinal));
    }

    /// <summary>The app asks Resource Manager for databases and containers only: it needs no action on the account itself.</summary>
    [Fact]
    public void CustomRole_Reach_IsTheDatabase()
    {
        var assignment = Block(InfraFiles.Read(AccessFile), "resource containerAccess ");

        Assert.All(
            BicepFile.TextsIn(InfraFiles.Read(RoleFile), Action()),
            action => Assert.StartsWith("Microsoft.DocumentDB/databaseAccounts/sqlDatabases/", action, StringComparison.Ordinal));
        Assert.Contains("\n  scope: database\n", assignment, StringComparison.Ordinal);
        Assert.Contains("roleDefinitionId: containerRoleId", assignment, StringComparison.Ordinal);
    }

    /// <summary>The developer gets what the app has, by the same module.</summary>
    [Fact]
    public void Main_DeveloperAccess_GivesTheRolesOfTheApp()
    {
        var ofApp = Block(InfraFiles.Main.Text, "module access 'app/access.bicep'");
        var ofDeveloper = Block(InfraFiles.Main.Text, "module developerAccessRoles 'app/access.bicep' = if (developerAccess)");

        Assert.Equal(ParameterNames(ofApp), ParameterNames(ofDeveloper));
        Assert.Contains("principalId: identity.outputs.principalId", ofApp, StringComparison.Ordinal);
        Assert.Contains("principalId: developer\n", ofDeveloper, StringComparison.Ordinal);
    }

    [Fact]
    public void Bicep_EveryModule_IsAFile() => Assert.All(
        InfraFiles.Bicep.SelectMany(file => file.Modules),
        module => Assert.Contains(InfraFiles.Bicep, file => file.Path == module));

    private static IEnumerable<string> ParameterNames(string module) =>
        Argument().Matches(module).Select(match => match.Groups["name"].Value);

    /// <summary>A declaration from its first words to its closing brace.</summary>
    private static string Block(string text, string start)
    {
        var from = text.IndexOf(start, StringComparison.Ordinal);
        Assert.True(from >= 0, start);
        return text[from..(text.IndexOf("\n}\n", from, StringComparison.Ordinal) + 1)];
    }

    [GeneratedRegex(@"^var \w+ = '(?<text>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})'$", RegexOptions.Multiline)]
    private static partial Regex RoleId();

    [GeneratedRegex(@"^ +'(?<text>Microsoft\.DocumentDB/[^']+)'$", RegexOptions.Multiline)]
    private static partial Regex Action();

    [GeneratedRegex(@"^- `(?<text>Microsoft\.DocumentDB/[^`]+)`$", RegexOptions.Multiline)]
    private static partial Regex ListedAction();

    [GeneratedRegex(@"^    (?<name>\w+): ", RegexOptions.Multiline)]
    private static partial Regex Argument();
}
