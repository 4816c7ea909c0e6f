using ScaleOut.Workers.Tables;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>Runs and experiments of the program that write to Table storage.</summary>
public sealed class TableTests(AzuriteFixture azurite) : ProgramInFolder
{
    private const string Plan =
        """
        {
          "base": {
            "documents": 400, "workers": 1, "document": { "kind": "flights" }, "client": { "concurrency": 2 },
            "workload": { "kind": "batch", "batchSize": 20 }, "simulation": { "latency": "none" }
          },
          "variants": [
            { "name": "cosmos" },
            { "name": "tables", "change": { "workload": { "kind": "tableBatch" }, "simulation": null } }
          ],
          "repeats": 1,
          "findings": [ { "kind": "tableStorage", "variants": ["tables", "cosmos"] } ]
        }
        """;

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_TableBatch_IsCompleteDeletesItsTableAndKeepsNoKey()
    {
        var connectionString = (await azurite.NewAccountAsync()).ConnectionString!;
        using var run = await RunAsync(
            "run", "--workload", "tableBatch", "--batch-size", "20", "--documents", "300", "--workers", "2", "--id", "to-tables",
            "--table-account", connectionString);

        AssertEnded(run);
        var report = Finished("to-tables").Report;
        Assert.Equal((RunState.Complete, 300L, false), (report.State, report.Documents.Verified, report.Simulated));
        Assert.Contains("is an emulator", run.Output, StringComparison.Ordinal);
        Assert.Contains("none  tables are not charged in RU", run.Output, StringComparison.Ordinal);
        using var client = TableService.CreateControl(TableAccount.Parse(connectionString));
        Assert.False(await client.ExistsAsync(ScaleOut.Specs.TableNames.From("to-tables"), Cancellation));
        var key = connectionString.Split("AccountKey=")[1].Split(';')[0];
        var written = Directory.EnumerateFiles(Folder, "*", SearchOption.AllDirectories).Select(File.ReadAllText);
        Assert.All([run.Output, run.Errors, .. written], text => Assert.DoesNotContain(key, text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_WithoutATableAccount_IsRejectedAndSaysHowToGiveOne()
    {
        var run = await CommandAsync("run", "--workload", "tableBatch", "--documents", "100", "--workers", "1");
        AssertRejected(
            run, "workload.kind: Runs of kind tableBatch write to Table storage", "TABLE_ACCOUNT, or on a command line as --table-account");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Experiment_FirstWithoutThenWithATableAccount_MeasuresTheVariantThatWasNotTested()
    {
        var connectionString = (await azurite.NewAccountAsync()).ConnectionString!;
        await WriteAsync("plan.json", Plan);
        using var first = await RunAsync("experiment", "plan.json", "--id", "both");
        var without = await ReportAsync();

        Assert.NotNull(without.Variants[0].Rate);
        Assert.Contains("there is no table account; give", without.Variants[1].NotMeasured, StringComparison.Ordinal);
        Assert.Equal(FindingVerdict.NotTested, without.Findings[0].Verdict);

        using var second = await RunAsync("resume", "both", "--table-account", connectionString);
        var with = await ReportAsync();

        AssertEnded(second);
        Assert.All(with.Variants, variant => Assert.Equal(RunState.Complete, Assert.Single(variant.Runs).State));
        Assert.Equal(without.Variants[0].Rate, with.Variants[0].Rate);
        Assert.Equal((true, false), (with.Variants[0].Runs[0].Figures!.Simulated, with.Variants[1].Runs[0].Figures!.Simulated));
        Assert.All(with.Variants, variant => Assert.True(variant.Runs[0].Figures!.KilobytesPerSecond > 0));
        Assert.Equal(
            "the table account is an emulator, whose speed says nothing of Azure Table storage", Assert.Single(with.Findings).Reason);
    }

    private async Task<ExperimentReport> ReportAsync() => ExperimentForms.Kind.Read(
        await File.ReadAllBytesAsync(In("runs", "both", "report.json"), Cancellation));
}
