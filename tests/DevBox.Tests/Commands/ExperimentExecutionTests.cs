namespace ScaleOut.Tests.DevBox.Commands;

public sealed class ExperimentExecutionTests : IDisposable
{
    private const string Text = """
        {"id": "sample", "base": {"documents": 100, "workers": 1}, "variants": [{"name": "a"}, {"name": "b"}], "repeats": 1}
        """;

    private static readonly AccountConnection Account = new() { Endpoint = new Uri("https://mine.documents.azure.com/"), Key = "c2VjcmV0" };

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private RunFolder Folder => new(Path.Combine(_folder.Path, "runs"), "sample");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Experiment_MeasuredOnAnAccount_DoesNotGoOnElsewhere()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "spec.json"), Text, Cancellation);
        await ClaimAsync(RunTarget.SimulatedAccount);
        await RunAccounts.NoteAsync(Folder, Account, Cancellation);

        var program = await DevBoxCommand.RunAsync(_folder.Path, ["experiment", "spec.json"]);

        Assert.Equal(2, program.ExitCode);
        Assert.Contains(
            "--id: experiment 'sample' goes to mine.documents.azure.com, and this command to simulated accounts.", program.Errors,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadSame_MeasuredOnAnAccount_GoesOnThereAlone()
    {
        var spec = await ClaimAsync(RunTarget.OtherAccount);
        await RunAccounts.NoteAsync(Folder, Account, Cancellation);

        Assert.Equal("sample", (await ReadSameAsync(spec, Account)).Id);
        var error = await Assert.ThrowsAsync<InputException>(
            () => ReadSameAsync(spec, Account with { Endpoint = new Uri("https://other.documents.azure.com/") }));
        Assert.Contains(
            "goes to mine.documents.azure.com, and this command to other.documents.azure.com", error.Message, StringComparison.Ordinal);
        Assert.Equal(Account.Endpoint, (await new AccountFolder(Folder.FullPath).ReadAsync(Cancellation))!.Endpoint);
    }

    private Task<ExperimentSpec> ReadSameAsync(ExperimentSpec spec, AccountConnection account) => ExperimentResumption.ReadSameAsync(
        new ExperimentFiles(new FolderRunStore(Folder.RunsFolder), "sample"), Folder, spec, account, tables: null, Cancellation);

    private async Task<ExperimentSpec> ClaimAsync(RunTarget target)
    {
        var spec = ExperimentSpecReader.Read(Text, target).Value!;
        Assert.True(await new ExperimentFiles(new FolderRunStore(Folder.RunsFolder), "sample").TryClaimAsync(spec, Cancellation));
        return spec;
    }
}
