using System.Text.Json;
using ScaleOut.Json;
using ScaleOut.Reports;
using ScaleOut.Simulator.Engine.Ledger;

namespace ScaleOut.Tests.DevBox;

/// <summary>What a run left in its folder.</summary>
internal sealed class FinishedRun(string runsFolder, string runId)
{
    public string Folder => Path.Combine(runsFolder, runId);

    public RunReport Report => Read<RunReport>("report.json");

    public AccountBooks Books => Read<AccountBooks>("books.json");

    /// <summary>The books of the one container that the run wrote to.</summary>
    public ContainerBooks Container => Assert.Single(Books.Containers);

    public bool Has(string name) => File.Exists(Path.Combine(Folder, name));

    private T Read<T>(string name) => JsonSerializer.Deserialize<T>(File.ReadAllText(Path.Combine(Folder, name)), ScaleOutJson.Compact)!;
}
