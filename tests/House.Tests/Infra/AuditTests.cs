namespace ScaleOut.Tests.Infra;

/// <summary>A package with a known serious vulnerability fails CI, and nobody's build or deployment.</summary>
public sealed class AuditTests
{
    private const string Switch = "VulnerablePackagesAreErrors";

    /// <summary>One project of the app, one of the tool, one of the tests: all take the settings from the same file.</summary>
    [Theory]
    [InlineData("Orchestrator/Orchestrator.csproj")]
    [InlineData("DevBox/DevBox.csproj")]
    [InlineData("tests/House.Tests/House.Tests.csproj")]
    public async Task Audit_SeriousAdvisory_IsAnErrorInCiOnly(string project)
    {
        var (elsewhere, inCi) = (await PropertiesAsync(project, inCi: false), await PropertiesAsync(project, inCi: true));

        Assert.Equal(("true", "all"), ((string?)inCi["NuGetAudit"], (string?)inCi["NuGetAuditMode"]));
        Assert.Superset(new HashSet<string> { "NU1903", "NU1904" }, Tolerated(elsewhere));
        Assert.Empty(Tolerated(inCi).Intersect(["NU1903", "NU1904"]));
        // A source without advisories, or one that is away, fails nothing.
        Assert.Superset(new HashSet<string> { "NU1900", "NU1905" }, Tolerated(inCi));

        static HashSet<string> Tolerated(JsonNode properties) => [.. ((string)properties["WarningsNotAsErrors"]!).Split(';')];
    }

    /// <summary>No project has settings of its own.</summary>
    [Fact]
    public void Audit_Settings_AreThoseOfAllProjects() => Assert.All(
        Directory.GetFiles(RepositoryFiles.Root, "*.csproj", SearchOption.AllDirectories),
        project => Assert.DoesNotContain("NuGetAudit", File.ReadAllText(project), StringComparison.Ordinal));

    [Fact]
    public void Audit_Switch_IsSetByCiAlone()
    {
        Assert.Contains($"\n  {Switch}: true\n", InfraFiles.ReadTop(".github/workflows/ci.yml"), StringComparison.Ordinal);
        Assert.DoesNotContain(Switch, InfraFiles.ReadTop(".github/workflows/azure-dev.yml"), StringComparison.Ordinal);
    }

    /// <summary>The properties as MSBuild evaluates them; nothing is built or restored.</summary>
    private static async Task<JsonNode> PropertiesAsync(string project, bool inCi)
    {
        var start = new ProcessStartInfo(
            "dotnet",
            ["msbuild", Path.Combine(RepositoryFiles.Root, project), "-getProperty:WarningsNotAsErrors,NuGetAudit,NuGetAuditMode"])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        };
        start.Environment.Remove(Switch);
        // So that it evaluates in this process, which the variable belongs to.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        if (inCi)
            start.Environment[Switch] = "true";
        using var process = Process.Start(start)!;
        var output = await Task.WhenAll(
            process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken),
            process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken));
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.True(process.ExitCode == 0, string.Concat(output));
        return JsonNode.Parse(output[0])!["Properties"]!;
    }
}
