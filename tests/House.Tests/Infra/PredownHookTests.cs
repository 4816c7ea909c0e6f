namespace ScaleOut.Tests.Infra;

/// <summary>The hook that deletes the custom role, run with an <c>az</c> that writes down its arguments.</summary>
public sealed class PredownHookTests : IDisposable
{
    private const string Role = "11111111-1111-1111-1111-111111111111";
    private const string Assignment = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Authorization/roleAssignments/";

    private readonly string _folder = Directory.CreateTempSubdirectory("predown-").FullName;

    private readonly Dictionary<string, string> _variables = new()
    {
        ["CONTAINER_ROLE_NAME"] = Role, ["AZURE_RESOURCE_GROUP"] = "g", ["AZURE_SUBSCRIPTION_ID"] = "s",
    };

    private string Calls => File.Exists(Path.Combine(_folder, "calls")) ? File.ReadAllText(Path.Combine(_folder, "calls")) : "";

    /// <summary>The CLI for Windows writes carriage returns.</summary>
    [Theory]
    [InlineData(@"\n")]
    [InlineData(@"\r\n")]
    public async Task Role_WithAssignments_LosesThemFirst(string end)
    {
        var call = await RunAsync($"[ \"$2\" = assignment ] && [ \"$3\" = list ] && printf '{Assignment}a{end}{Assignment}b{end}'; exit 0");

        Assert.Equal(0, call.ExitCode);
        Assert.Contains($"Deleted the custom role {Role}", call.Output, StringComparison.Ordinal);
        Assert.Collection(
            Calls.Trim().Split('\n'),
            list => Assert.Contains($"role assignment list --subscription s --all", list, StringComparison.Ordinal),
            delete => Assert.Equal($"role assignment delete --subscription s --ids {Assignment}a {Assignment}b", delete),
            definition => Assert.Equal(
                $"role definition delete --subscription s --name {Role} --scope /subscriptions/s/resourceGroups/g --custom-role-only true",
                definition));
    }

    [Fact]
    public async Task Role_WithoutAssignments_GoesAtOnce()
    {
        await RunAsync("exit 0");
        Assert.Equal(
            ["assignment list", "definition delete"],
            Calls.Trim().Split('\n').Select(call => string.Join(' ', call.Split(' ')[1..3])));
    }

    /// <summary>Resources are billed, so they must be deleted even if the role cannot be.</summary>
    [Fact]
    public async Task Failure_OfTheCli_DoesNotStopAzdDown()
    {
        var call = await RunAsync("exit 1");
        Assert.Equal(0, call.ExitCode);
        Assert.Contains($"az role definition delete --name {Role}", call.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Environment_NeverProvisioned_AsksNothing()
    {
        _variables.Remove("CONTAINER_ROLE_NAME");
        Assert.Equal(0, (await RunAsync("exit 0")).ExitCode);
        Assert.Empty(Calls);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task<ShellCall> RunAsync(string azure)
    {
        Assert.SkipUnless(ShellCall.IsPossible && !OperatingSystem.IsWindows(), "no /bin/sh");
        var path = Path.Combine(_folder, "az");
        var token = TestContext.Current.CancellationToken;
        await File.WriteAllTextAsync(path, $"#!/bin/sh\necho \"$@\" >> '{_folder}/calls'\n{azure}\n", token);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        var script = Path.Combine(InfraFiles.Folder, "hooks", "predown.sh");
        return await ShellCall.RunAsync(script, _variables, $"{_folder}:/usr/bin:/bin", token);
    }
}
