using ScaleOut.Workers.Tables;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>Runs and experiments of the program that write to Table storage.</summary>
public sealed class TableTests(AzuriteFixture azurite)
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

    [Fact]
    public async Task Run_TableBatch_IsCompleteDeletesItsTableAndKeepsNoKey()
    {
        var connectionString = (await azurite.NewAccountAsync()).ConnectionString!;
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(
            folder.Path,
            [
                "run", "--workload", "tableBatch", "--batch-size", "20", "--documents", "300", "--workers", "2", "--id", "to-tables",
                "--table-account", connectionString,
            ]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), "to-tables");
        Assert.Equal(
            (RunState.Complete, 300L, false), (finished.Report.State, finished.Report.Documents.Verified, finished.Report.Simulated));
        Assert.Contains("is an emulator", run.Output, StringComparison.Ordinal);
        Assert.Contains("none  a table is charged by no RU", run.Output, StringComparison.Ordinal);
        using var client = TableService.CreateControl(TableAccount.Parse(connectionString));
        Assert.False(
            await client.ExistsAsync(ScaleOut.Specs.TableNames.From("to-tables"), TestContext.Current.CancellationToken));
        var key = connectionString.Split("AccountKey=")[1].Split(';')[0];
        var written = Directory.EnumerateFiles(folder.Path, "*", SearchOption.AllDirectories).Select(File.ReadAllText);
        Assert.All([run.Output, run.Errors, .. written], text => Assert.DoesNotContain(key, text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_WithoutATableAccount_IsRejectedAndSaysHowToGiveOne()
    {
        using var folder = new TemporaryFolder();
        var run = await DevBoxCommand.RunAsync(
            folder.Path, ["run", "--workload", "tableBatch", "--documents", "100", "--workers", "1"]);

        Assert.Equal(2, run.ExitCode);
        Assert.Contains("workload.kind: Runs of kind tableBatch write to Table storage", run.Errors, StringComparison.Ordinal);
        Assert.Contains("TABLE_ACCOUNT, or on a command line as --table-account", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Experiment_FirstWithoutThenWithATableAccount_MeasuresTheVariantThatWasNotTested()
    {
        var connectionString = (await azurite.NewAccountAsync()).ConnectionString!;
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), Plan, TestContext.Current.CancellationToken);
        using var first = await DevBoxProcess.RunAsync(folder.Path, ["experiment", "plan.json", "--id", "both"]);
        var without = await ReportAsync(folder);

        Assert.NotNull(without.Variants[0].Rate);
        Assert.Contains("there is no table account; give", without.Variants[1].NotMeasured, StringComparison.Ordinal);
        Assert.Equal(FindingVerdict.NotTested, without.Findings[0].Verdict);

        using var second = await DevBoxProcess.RunAsync(folder.Path, ["resume", "both", "--table-account", connectionString]);
        var with = await ReportAsync(folder);

        Assert.True(second.ExitCode == 0, second.Output + second.Errors);
        Assert.All(with.Variants, variant => Assert.Equal(RunState.Complete, Assert.Single(variant.Runs).State));
        Assert.Equal(without.Variants[0].Rate, with.Variants[0].Rate);
        Assert.Equal((true, false), (with.Variants[0].Runs[0].Figures!.Simulated, with.Variants[1].Runs[0].Figures!.Simulated));
        Assert.All(with.Variants, variant => Assert.True(variant.Runs[0].Figures!.KilobytesPerSecond > 0));
        // Azurite's speed says nothing.
        Assert.Equal(
            "the table account is an emulator, whose speed says nothing of Azure Table storage", Assert.Single(with.Findings).Reason);
    }

    private static async Task<ExperimentReport> ReportAsync(TemporaryFolder folder) => ExperimentForms.Kind.Read(
        await File.ReadAllBytesAsync(Path.Combine(folder.Path, "runs", "both", "report.json"), TestContext.Current.CancellationToken));
}
