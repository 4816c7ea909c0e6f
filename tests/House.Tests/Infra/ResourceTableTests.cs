namespace ScaleOut.Tests.Infra;

public sealed partial class ResourceTableTests
{
    private const string Assignments = "Microsoft.Authorization/roleAssignments";
    private const string DataAssignments = "Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments";
    private const string Definition = "Microsoft.Authorization/roleDefinitions";

    private static readonly string[] RoleFiles =
    [
        "app/data-access.bicep", "app/role.bicep", "app/scheduler-access.bicep", "app/storage-access.bicep", "app/telemetry-access.bicep",
    ];

    private static readonly string Readme = InfraFiles.Read("README.md");

    private static readonly IReadOnlyList<string[]> Resources = MarkdownTable.Under(Readme, "## Resources");
    private static readonly IReadOnlyList<string[]> Roles = MarkdownTable.Under(Readme, "## Roles");

    [Fact]
    public void Readme_Files_MakeTheResourcesThatTheRowsName()
    {
        var made = Deployment.Files.SelectMany(file => Deployment.ResourcesOf(file.Value).Select(one => $"{file.Key} {one["type"]}"));
        var listed = Resources.Concat(Roles).Select(cells => string.Join(' ', cells.Take(2).Select(MarkdownTable.Code)));
        Assert.Equal(made.Order(StringComparer.Ordinal), listed.Order(StringComparer.Ordinal));
    }

    /// <summary>Each resource of the largest deployment is in one row, and each row has one.</summary>
    [Fact]
    public void Readme_Names_AreThoseOfTheResources()
    {
        var types = Resources.Select(cells => MarkdownTable.Code(cells[1])).ToHashSet();
        var rows = Resources.SelectMany(NamesIn).ToList();
        var deployed = Deployment.Network.All.Where(resource => types.Contains((string)resource["type"]!)).Select(NameOf).ToList();

        Assert.All(deployed, name => Assert.Single(rows, row => Matches(row, name)));
        Assert.All(rows, row => Assert.Contains(deployed, name => Matches(row, name)));

        static bool Matches(string row, string name) =>
            Regex.IsMatch(name, $"^{Regex.Escape(row).Replace(@"\*", ".*", StringComparison.Ordinal)}$");
    }

    /// <summary>Only these files make roles, and the table of resources lists none.</summary>
    [Fact]
    public void Readme_Roles_AreInTheFilesOfRoles()
    {
        Assert.Equal(RoleFiles, Roles.Select(cells => MarkdownTable.Code(cells[0])).Distinct().Order(StringComparer.Ordinal));
        Assert.DoesNotContain(Resources, cells => cells[1].Contains("/role", StringComparison.OrdinalIgnoreCase)
            || cells[1].Contains("/sqlRole", StringComparison.OrdinalIgnoreCase));
    }

    [Theory]
    [InlineData("## Resources")]
    [InlineData("## Roles")]
    public void Readme_EveryRow_SaysWhy(string heading) =>
        Assert.All(MarkdownTable.Under(Readme, heading), cells => Assert.NotEmpty(cells[^1]));

    [Fact]
    public void Readme_BuiltInRoles_AreNamedWithTheirIds()
    {
        var custom = (string)Assert.Single(Deployment.Default.OfType(Definition))["name"]!;
        var ids = Deployment.Default.OfType(Assignments)
            .Concat(Deployment.Default.OfType(DataAssignments))
            .Select(assignment => ((string)assignment["properties"]!["roleDefinitionId"]!).Split('/')[^1]).Distinct().ToList();

        Assert.Equal(6, ids.Count);
        Assert.Contains(custom, ids);
        Assert.All(ids.Where(id => id != custom), id => Assert.Contains(Roles, cells => cells[2].Contains(id, StringComparison.Ordinal)));
    }

    /// <summary>
    /// The app asks Resource Manager for databases and containers, and for its own permissions: it needs no action on the account itself.
    /// </summary>
    [Fact]
    public void CustomRole_Reach_IsTheDatabase()
    {
        var custom = (string)Deployment.Default.OfType(Definition).Single()["name"]!;
        var assigned = Deployment.Default.OfType(Assignments)
            .Where(one => ((string)one["properties"]!["roleDefinitionId"]!).EndsWith(custom, StringComparison.Ordinal)).ToList();

        Assert.All(Actions().Where(action => action != "Microsoft.Authorization/permissions/read"), action =>
            Assert.StartsWith("Microsoft.DocumentDB/databaseAccounts/sqlDatabases/", action, StringComparison.Ordinal));
        Assert.Equal(2, assigned.Count);
        Assert.All(assigned, one => Assert.Matches(@"^\[extensionResourceId\('[^']+/sqlDatabases/scaleout'", (string)one["id"]!));
    }

    /// <summary>
    /// The database of every run that names no other one. A scope cannot be changed, so another scope must make another name.
    /// </summary>
    [Fact]
    public void DataRole_Scope_IsTheDatabaseOfRuns()
    {
        var account = (string)Assert.Single(Deployment.Default.OfType("Microsoft.DocumentDB/databaseAccounts"))["id"]!;
        var scope = $"{account}/dbs/{new ContainerSpec().Database}";
        var assigned = Deployment.Default.OfType(DataAssignments).ToList();

        Assert.Equal(2, assigned.Count);
        Assert.All(assigned, one => Assert.Equal(scope, (string)one["properties"]!["scope"]!));
        Assert.All(assigned, one => Assert.Contains($"guid('{scope}', ", (string)one["name"]!, StringComparison.Ordinal));
    }

    private static List<string> Actions() =>
        [.. Deployment.Default.Properties(Definition)["permissions"]![0]!["actions"]!.AsArray().Select(action => (string)action!)];

    /// <summary>The last part of a name. Words replace the parts that differ from one environment to the next.</summary>
    private static string NameOf(JsonObject resource)
    {
        var type = (string)resource["type"]!;
        var name = (string?)resource["properties"]?["displayName"] is { } shown && type.EndsWith("/workbooks", StringComparison.Ordinal)
            ? shown
            : ((string)resource["name"]!).Split('/')[^1];
        // A name with a part that only Azure knows is an expression, whose last text is that of the last part.
        if (((string)resource["name"]!).StartsWith('['))
            name = QuotedText().Matches((string)resource["name"]!)[^1].Groups["text"].Value;
        return $"{type} {Hash().Replace(name, "<hash>").Replace("rg-load", "rg-<environment>", StringComparison.Ordinal)}";
    }

    private static IEnumerable<string> NamesIn(string[] cells) =>
        cells[2].Split(", ").Select(name => $"{MarkdownTable.Code(cells[1])} {name.Trim('`')}");

    [GeneratedRegex("'(?<text>[^']+)'")]
    private static partial Regex QuotedText();

    // What uniqueString makes.
    [GeneratedRegex("[a-z0-9]{13}$")]
    private static partial Regex Hash();
}
