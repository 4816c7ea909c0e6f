using ScaleOut.Workers.Tables;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>Whole runs of kind tableBatch with the real client and orchestration against Azurite's table service.</summary>
public sealed class TableRunTests(AzuriteFixture azurite) : IDisposable
{
    private const int Documents = 230;

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private FolderRunStore Store => _folder.StoreWith("clean-up");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Run_FlightsInBatches_WritesAllAsEntitiesAndCountsNoRequestUnits()
    {
        var account = await NewAccountAsync();
        var (outcome, report) = await RunAsync(account, Spec("flights"));

        Assert.Equal((RunState.Complete, Documents, 0), (outcome.State, report.Documents.Verified, (int)report.Documents.AlreadyPresent));
        Assert.Equal((23, 23, 0), (report.Requests.Operations, report.Requests.Attempts, report.Requests.Throttled));
        var charged = report.RequestUnits;
        Assert.Equal((0.0, null, null, null), (charged.Total, charged.PerInsert, charged.PerSecondMean, charged.BudgetPerSecond));
        Assert.Empty(report.Partitions);
        // Rows of 50 columns have about 1,725 bytes.
        Assert.InRange(report.Throughput.KilobytesPerSecond!.Value / report.Throughput.Rate!.Value, 1.4, 2.1);
        Assert.Contains(report.Warnings, warning => warning.Contains("is an emulator (Azurite", StringComparison.Ordinal));
        Assert.Equal((true, false), (report.Emulated, report.Simulated));

        using var client = TableService.CreateControl(account);
        Assert.Equal(Documents, await client.CountAsync("runflights", Cancellation));
        var page = System.Text.Encoding.UTF8.GetString((await Store.ReadAsync("flights", "report.md", Cancellation))!);
        Assert.DoesNotContain("RU per", page, StringComparison.Ordinal);
        Assert.Contains("| runflights ", page, StringComparison.Ordinal);
        Assert.Contains("Verified in the table", page, StringComparison.Ordinal);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_BusyServerAndLostResponses_CountsEachThrottleAndNothingTwice()
    {
        await using var proxy = await TableProxy.StartAsync(await NewAccountAsync(), transaction => (transaction % 5) switch
        {
            1 => Fate.Busy,
            2 => Fate.TimesOutWhenDone,
            3 => Fate.BreaksWhenDone,
            _ => Fate.Passes,
        });
        var (outcome, report) = await RunAsync(proxy.Account, Spec("busy") with { Client = new ClientSpec { Concurrency = 1 } });

        var fates = Enumerable.Range(0, proxy.Transactions).GroupBy(transaction => transaction % 5).ToDictionary(
            group => group.Key, group => group.Count());
        Assert.True(outcome.State == RunState.Complete, string.Join(" ", report.Warnings));
        Assert.Equal(Documents, report.Documents.Verified);
        // The next attempt finds what a lost response had written, and it still counts as an insert of this run.
        Assert.Equal((Documents, 0, 0), (report.Documents.Inserted, report.Documents.AlreadyPresent, report.Documents.Failed));
        Assert.Equal(proxy.Transactions, report.Requests.Attempts);
        Assert.Equal(fates[1] + fates[2], report.Requests.Throttled);
        Assert.Equal(fates[3], report.Requests.ErrorsByStatus["0"]);
    }

    [Fact]
    public async Task Run_LegThatRunsAgain_FindsItsBatchesAndCountsThemOnce()
    {
        var account = await NewAccountAsync();
        var spec = Spec("again") with { Workers = 1 };
        await RunAsync(account, spec);
        // The leg's result is lost, as if its process had ended just before it kept the result.
        var run = Store.FolderOf("again");
        string[] lost = [.. Directory.GetFiles(run, "result.json", SearchOption.AllDirectories), .. Directory.GetFiles(run, "en*.json")];
        Array.ForEach(lost, File.Delete);

        var (outcome, report) = await RunAsync(account, spec);

        var documents = report.Documents;
        Assert.Equal((0, Documents, Documents), (documents.Inserted, documents.AlreadyPresent, documents.Verified));
        Assert.Equal((RunState.Complete, 1), (outcome.State, report.LostLegs));
    }

    [Fact]
    public async Task CleanUp_CalledTwice_DeletesTheTableAndDoesNotFail()
    {
        var account = await NewAccountAsync();
        using var containers = new ContainerControl(account.ToConnection());
        var prepared = (await containers.PrepareAsync(Spec("clean-up"), Store, Cancellation)).Container!;
        using var client = TableService.CreateControl(account);
        Assert.True(await client.ExistsAsync(prepared.Target.Name, Cancellation));

        await containers.CleanUpAsync(prepared, Cancellation);
        await containers.CleanUpAsync(prepared, Cancellation);

        Assert.False(await client.ExistsAsync(prepared.Target.Name, Cancellation));
    }

    [Fact]
    public async Task Prepare_TableOfSomebodyElse_IsRejectedAndStays()
    {
        var account = await NewAccountAsync();
        using var client = TableService.CreateControl(account);
        await client.TryCreateAsync(TableNames.From("foreign"), Cancellation);
        using var containers = new ContainerControl(account.ToConnection());

        var preparation = await containers.PrepareAsync(Spec("foreign"), Store, Cancellation);

        Assert.Equal(["The table runforeign exists already and is not this run's: choose another run id."], preparation.Rejections);
        Assert.True(await containers.GiveUpAsync(Spec("foreign"), Store, Cancellation));
        Assert.True(await client.ExistsAsync("runforeign", Cancellation));
    }

    [Fact]
    public async Task Prepare_WrongKey_IsRejectedWithoutIt()
    {
        var account = await NewAccountAsync() with { Key = "c2VjcmV0" };
        using var containers = new ContainerControl(account.ToConnection());

        var rejection = Assert.Single((await containers.PrepareAsync(Spec("key"), Store, Cancellation)).Rejections);

        Assert.Contains("rejects the key (403", rejection, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", rejection, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Prepare_NoTableAccount_IsRejectedAndSaysHowToGiveOne()
    {
        using var containers = new ContainerControl(new AccountConnection { Endpoint = new Uri("https://localhost:1/") });
        var rejection = Assert.Single((await containers.PrepareAsync(Spec("none"), Store, Cancellation)).Rejections);
        Assert.Contains("--table-account", rejection, StringComparison.Ordinal);
    }

    private static RunSpec Spec(string id) => new()
    {
        Id = id,
        Documents = Documents,
        Workers = 2,
        Workload = new WorkloadSpec { Kind = WorkloadKind.TableBatch, BatchSize = 10 },
        Document = new DocumentSpec { Kind = DocumentKind.Flights },
        Client = new ClientSpec { Concurrency = 3 },
        Container = new ContainerSpec { Keep = true },
    };

    private async Task<TableAccount> NewAccountAsync() => TableAccount.Parse((await azurite.NewAccountAsync()).ConnectionString!);

    private async Task<(RunOutcome Outcome, RunReport Report)> RunAsync(TableAccount account, RunSpec spec)
    {
        var outcome = await new InProcessRun(account.ToConnection(), _folder.StoreWith(spec.Id!)).RunAsync(spec, Cancellation);
        var json = await new RunFiles(Store, spec.Id!).ReadReportAsync("report.json", Cancellation);
        return (outcome, RunForms.Kind.Read(json!, spec.Id!));
    }
}
