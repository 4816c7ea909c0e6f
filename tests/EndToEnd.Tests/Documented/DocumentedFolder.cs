namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The working folder of the documents' commands, with the runs and files that the commands need.</summary>
public sealed partial class DocumentedFolder : IAsyncLifetime
{
    /// <summary>A run that was only claimed, so that its id is in use.</summary>
    public const string Taken = "taken";

    /// <summary>The connection string of a storage emulator that need not run.</summary>
    public const string Emulator = "UseDevelopmentStorage=true";

    /// <summary>A run whose program was killed after it had claimed the run.</summary>
    private const string Killed = "killed";
    private const string Measured = "measured";
    private const string MeasuredExperiment = "measured-experiment";

    private readonly TemporaryFolder _folder = new();
    private readonly HashSet<string> _specs = [];

    public string Path => _folder.Path;

    public async ValueTask InitializeAsync()
    {
        var runs = new FolderRunStore(In("runs"));
        foreach (var id in (string[])[Taken, Killed])
        {
            var spec = new RunSpec { Id = id, Documents = 100, Workers = 1, Simulation = new SimulationSpec() };
            Assert.True(await new RunFiles(runs, id).TryClaimAsync(spec, TestContext.Current.CancellationToken));
        }

        await WriteReportAsync(Measured);
        await WriteExperimentAsync(runs);
        await File.WriteAllTextAsync(In("spec.json"), "{}");
        Directory.CreateDirectory(In("plans"));
        File.Copy(DocumentText.PathOf("infra/prices.json"), In("plans", "prices.json"));
        await File.WriteAllTextAsync(In("orders.json"), """{ "id": "{{id}}", "customerId": "{{key}}" }""");
        await File.WriteAllTextAsync(In("orders.csv"), "tenantId,total\na,1\nb,2\n");
        foreach (var name in (string[])["my.json", "profile.json"])
            await File.WriteAllBytesAsync(In(name), ProfileFile.Write(SampleProfiles.Create()));
    }

    private async Task WriteExperimentAsync(FolderRunStore runs)
    {
        var measured = Support.Runs.MeasuredExperiment.From([("one", 1, [100, 100], null)]);
        var report = measured with { Id = MeasuredExperiment };
        var files = new ExperimentFiles(runs, MeasuredExperiment);
        Assert.True(await files.TryClaimAsync(report.Spec with { Id = MeasuredExperiment }, TestContext.Current.CancellationToken));
        await File.WriteAllBytesAsync(In("runs", MeasuredExperiment, "report.json"), ExperimentForms.Kind.Write(report));
        foreach (var run in report.Variants[0].Runs)
            await WriteReportAsync(run.RunId);
    }

    private async Task WriteReportAsync(string id)
    {
        Directory.CreateDirectory(In("runs", id));
        var sample = new RunSample { Spec = new() { Id = id, Documents = 20_000 }, Seconds = 40 };
        await File.WriteAllBytesAsync(In("runs", id, "report.json"), RunForms.Kind.Write(sample.Build()));
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>Whether no earlier command had the same load.</summary>
    public bool IsNew(RunSpec spec) => _specs.Add(JsonSerializer.Serialize(spec, ScaleOutJson.Compact));

    /// <summary>A word of a command, with a real value in place of a placeholder, and with a path that leads to its file.</summary>
    /// <param name="word">The word in the document.</param>
    /// <param name="command">The command's name.</param>
    public string Fill(string word, string command)
    {
        var filled = word switch
        {
            "…" => "https://my-account.documents.azure.com",
            "<spec>" => "plans/million.json",
            _ => Placeholder().Replace(word, command switch { "resume" => Killed, "profile" => MeasuredExperiment, _ => Measured }),
        };
        return File.Exists(In(filled)) ? In(filled)
            : filled.Contains('/', StringComparison.Ordinal) && File.Exists(DocumentText.PathOf(filled)) ? DocumentText.PathOf(filled)
            : filled;
    }

    /// <summary>A variable's value, with a valid value in place of a placeholder.</summary>
    public static string Value(string name, string value) =>
        value != "..." ? Placeholder().Replace(value, "account")
        : name == AccountConnectionOptions.KeyVariable ? Convert.ToBase64String(new byte[64])
        : Emulator;

    /// <summary>A command without the names of its placeholders.</summary>
    public static string WithoutNames(string command) => Placeholder().Replace(command, "<>");

    private string In(params string[] names) => System.IO.Path.Combine([_folder.Path, .. names]);

    [GeneratedRegex("<[^>]+>")]
    private static partial Regex Placeholder();
}
