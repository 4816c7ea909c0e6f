namespace ScaleOut.Tests.EndToEnd;

/// <summary>What a run left in its folder.</summary>
internal sealed class FinishedRun(string runsFolder, string runId)
{
    public string Folder => Path.Combine(runsFolder, runId);
    public RunReport Report => Read<RunReport>("report.json");
    public AccountLedger Ledger => Read<AccountLedger>("ledger.json");

    /// <summary>The ledger of the one container that the run wrote to.</summary>
    public ContainerLedger Container => Assert.Single(Ledger.Containers);

    public bool Has(string name) => File.Exists(Path.Combine(Folder, name));

    private T Read<T>(string name) => JsonSerializer.Deserialize<T>(File.ReadAllText(Path.Combine(Folder, name)), ScaleOutJson.Compact)!;
}
