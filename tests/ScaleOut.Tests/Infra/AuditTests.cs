namespace ScaleOut.Tests.Infra;

/// <summary>A package of the Function App with a known serious vulnerability fails CI, and nobody's deployment.</summary>
public sealed class AuditTests
{
    private const string Switch = "VulnerablePackagesAreErrors";

    [Theory]
    [InlineData("NU1903")]
    [InlineData("NU1904")]
    public async Task Audit_SeriousAdvisory_IsAnErrorInCiOnly(string warning)
    {
        Assert.Contains(warning, await WarningsNotAsErrorsAsync(inCi: false));
        Assert.DoesNotContain(warning, await WarningsNotAsErrorsAsync(inCi: true));
    }

    [Fact]
    public void Audit_Switch_IsSetByCiAlone()
    {
        Assert.Contains($"\n  {Switch}: true\n", InfraFiles.ReadTop(".github/workflows/ci.yml"), StringComparison.Ordinal);
        Assert.DoesNotContain(Switch, InfraFiles.ReadTop(".github/workflows/azure-dev.yml"), StringComparison.Ordinal);
    }

    /// <summary>The codes as MSBuild evaluates them; nothing is built or restored.</summary>
    private static async Task<string[]> WarningsNotAsErrorsAsync(bool inCi)
    {
        var project = Path.Combine(RepositoryFiles.Root, "Orchestrator", "Orchestrator.csproj");
        var start = new ProcessStartInfo("dotnet", ["msbuild", project, "-getProperty:WarningsNotAsErrors"])
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
        return output[0].Trim().Split(';', StringSplitOptions.RemoveEmptyEntries);
    }
}
