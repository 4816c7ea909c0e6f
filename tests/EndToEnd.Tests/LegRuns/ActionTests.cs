using Mode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>Actions on the real SDK, compared with the ledger of the simulated account.</summary>
public sealed class ActionTests : LegsOnAccount
{
    private const int Actions = 200;

    private static readonly WorkloadSpec Workload =
        new() { Action = [WorkloadKind.Insert, WorkloadKind.Patch, WorkloadKind.Upsert, WorkloadKind.Read] };

    /// <summary>Five patches are rejected, so that five actions have neither the upsert nor the read.</summary>
    [Theory]
    [InlineData(Mode.Gateway)]
    [InlineData(Mode.Direct)]
    public async Task Run_StepFails_EndsItsActionAndCountsItOnce(Mode mode)
    {
        const int Rejected = 5;
        var rejects = new FaultRule { Operation = FaultOperation.Patch, Status = 400, MaxHits = Rejected };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [rejects] });
        await WriteAsync(account);

        var (output, result) = await RunActionsAsync(account, mode);

        Assert.Equal((LegEnd.SliceDone, Actions - Rejected, 0, Rejected), output.Ended());
        Assert.Equal(
            [(Actions, 0), (Actions - Rejected, Rejected), (Actions - Rejected, 0), (Actions - Rejected, 0)],
            result.Kinds.Select(step => ((int)step.Operations, (int)step.Counts.Failed)));
        Assert.Equal(Actions - Rejected, result.Operations);
        Assert.Equal(Actions + (3 * (Actions - Rejected)) + Rejected, result.Counts.Attempts);
        var documents = account.ReadLedger().Documents;
        Assert.Equal((Actions + Actions, Actions - Rejected), (documents.Created, documents.UpsertedNew));
        Assert.Equal(Rejected, result.Failures.Count);
        Assert.All(result.Failures, failure => Assert.Matches("^action [0-9]+, step 2: 400", failure));
    }

    /// <summary>The leg that did the work has no result. What it wrote is found there, and nothing is written twice.</summary>
    [Fact]
    public async Task Run_AfterALostLegThatDidAll_FindsAllThere()
    {
        await using var account = await StartAsync();
        await WriteAsync(account);
        await RunActionsAsync(account, Mode.Gateway);
        File.Delete(Path.Combine(Store.FolderOf(RunId), "legs", "0000", "000003", "result.json"));

        var (output, result) = await RunActionsAsync(account, Mode.Gateway);

        Assert.Equal((LegEnd.SliceDone, 0, Actions, 0), output.Ended());
        Assert.Equal([Actions, 0, Actions, 0], result.Kinds.Select(step => (int)step.Counts.AlreadyPresent));
        Assert.Equal([0, Actions, 0, Actions], result.Kinds.Select(step => (int)step.Counts.Inserted));
        var documents = account.ReadLedger().Documents;
        Assert.Equal((Actions + Actions, Actions), (documents.Created, documents.UpsertedNew));
    }

    /// <summary>A connection that breaks after the insert was done leaves that step uncertain, and not those after it.</summary>
    [Theory]
    [InlineData(Mode.Gateway, 0.02)]
    [InlineData(Mode.Direct, 0.005)]
    public async Task Run_ConnectionsBreakAfterTheInsertWasDone_IsExactAllTheSame(Mode mode, double probability)
    {
        var breaks = new FaultRule
        {
            Operation = FaultOperation.Create, CloseConnection = true, AfterOperation = true, Probability = probability,
        };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [breaks] });
        await WriteAsync(account);

        var (output, result) = await RunActionsAsync(account, mode);

        Assert.Equal((LegEnd.SliceDone, Actions, 0, 0), output.Ended());
        Assert.All(result.Kinds, step => Assert.Equal((Actions, Actions), (step.Counts.Inserted, step.Operations)));
        var documents = account.ReadLedger().Documents;
        Assert.Equal((Actions + Actions, Actions), (documents.Created, documents.UpsertedNew));
    }

    /// <summary>Actions that write no documents may work on those of another run in its container.</summary>
    [Fact]
    public async Task Run_DocumentsOfAnotherRun_AreFoundByIdAndKey()
    {
        await using var account = await StartAsync();
        await WriteAsync(account);
        var leg = Leg(Actions, new WorkloadSpec { Action = [WorkloadKind.Read, WorkloadKind.Patch], OfRun = RunId });

        var output = await RunAsync(account, leg with { Leg = 1, Assignment = leg.Assignment with { RunId = OtherRunId } });

        Assert.Equal((LegEnd.SliceDone, Actions, 0, 0), output.Ended());
        var ledger = account.ReadLedger();
        Assert.Equal((Actions, Actions), (ledger.Documents.Created, ledger.Operations.Patch.Attempts));
    }

    /// <summary>Writes the documents that the actions patch and read.</summary>
    private async Task WriteAsync(SimulatedAccount account)
    {
        await CreateContainerAsync(account);
        Assert.Equal(Actions, (await RunAsync(account, Leg(Actions))).Counts.Inserted);
        await Store.DeleteAsync(RunId, name => name.StartsWith(LegNames.Prefix, StringComparison.Ordinal), Cancellation);
    }

    private async Task<(LegOutput Output, LegResult Result)> RunActionsAsync(SimulatedAccount account, Mode mode)
    {
        var leg = Leg(Actions, Workload, mode) with { Leg = 3 };
        return (await RunAsync(account, leg), await ResultAsync(leg));
    }
}
