using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using Mode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>Replaces on the real SDK, compared with the ledger of the simulated account.</summary>
public sealed class ReplaceTests : LegsOnAccount
{
    private const int Documents = 300;

    [Theory]
    [InlineData(Mode.Gateway, false)]
    [InlineData(Mode.Gateway, true)]
    [InlineData(Mode.Direct, false)]
    [InlineData(Mode.Direct, true)]
    public async Task Replace_DocumentsOfTheRun_ReadsAndReplacesEachAndTheLedgerAgrees(Mode mode, bool matchEtag)
    {
        await using var account = await StartAsync();
        await WriteAsync(account);
        var before = await ReadAllAsync(account);
        var readsBefore = account.ReadLedger().Operations.Read;

        var result = await ReplaceAsync(account, Documents, new() { Kind = WorkloadKind.Replace, MatchEtag = matchEtag }, mode);

        var ledger = account.ReadLedger();
        var (reads, replaces) = (ledger.Operations.Read, ledger.Operations.Replace);
        Assert.Equal((Documents, Documents, 2 * Documents), (ledger.Documents.Replaced, replaces.Attempts, result.Counts.Attempts));
        Assert.Equal(
            reads.RequestUnits.Value - readsBefore.RequestUnits.Value + replaces.RequestUnits.Value,
            result.Counts.RequestUnits.Value + result.OpeningRequestUnits.Value, precision: 3);
        Assert.Empty(result.OtherErrors);
        Assert.Equal(
            before.Select(document => { document["replaced"] = true; return document.ToString(); }),
            (await ReadAllAsync(account)).Select(document => document.ToString()));
    }

    /// <summary>After a 412 the document is read again, because its ETag is another one by then.</summary>
    [Theory]
    [InlineData(Mode.Gateway)]
    [InlineData(Mode.Direct)]
    public async Task Replace_DocumentsThatSomebodyChanged_AreReadAgain(Mode mode)
    {
        const int Changed = 7;
        var changes = new FaultRule { Operation = FaultOperation.Replace, Status = 412, MaxHits = Changed };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [changes] });
        await WriteAsync(account);

        var result = await ReplaceAsync(account, Documents, new() { Kind = WorkloadKind.Replace, MatchEtag = true }, mode);

        Assert.Equal(Changed, result.OtherErrors["412"]);
        Assert.Equal(2 * (Documents + Changed), result.Counts.Attempts);
        Assert.Equal((Documents, Documents + Changed),
            (account.ReadLedger().Documents.Replaced, account.ReadLedger().Operations.Replace.Attempts));
    }

    /// <summary>Ten loops replace one document. Without the ETag none of them knows of the others.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Replace_OneDocumentByManyLoops_EndsWithEveryReplaceDone(bool matchEtag)
    {
        await using var account = await StartAsync();
        await WriteAsync(account);

        var result = await ReplaceAsync(
            account, Documents, new() { Kind = WorkloadKind.Replace, MatchEtag = matchEtag, Preload = 1 }, Mode.Direct);

        var conflicts = result.OtherErrors.GetValueOrDefault("412");
        Assert.Equal(Documents, account.ReadLedger().Documents.Replaced);
        Assert.Equal(2 * (Documents + conflicts), result.Counts.Attempts);
        Assert.True(matchEtag || conflicts == 0);
    }

    private async Task WriteAsync(SimulatedAccount account)
    {
        await CreateContainerAsync(account);
        Assert.Equal(Documents, (await RunAsync(account, Leg(Documents))).Counts.Inserted);
        // The legs that wrote the documents are not those of the tested worker.
        await Store.DeleteAsync(RunId, name => name.StartsWith(LegNames.Prefix, StringComparison.Ordinal), Cancellation);
    }

    private async Task<LegResult> ReplaceAsync(SimulatedAccount account, long documents, WorkloadSpec workload, Mode mode)
    {
        var leg = Leg(documents, workload, mode) with { Leg = 3 };
        Assert.Equal((LegEnd.SliceDone, documents, 0, 0), (await RunAsync(account, leg)).Ended());
        return await ResultAsync(leg);
    }

    /// <summary>All documents by their ids, without what the service adds.</summary>
    private static async Task<IReadOnlyList<JObject>> ReadAllAsync(SimulatedAccount account)
    {
        using var client = CosmosClientFactory.CreateControl(account.Connection());
        using var query = client.GetContainer(Target.Database, Target.Name).GetItemQueryIterator<JObject>("SELECT * FROM c");
        var all = new List<JObject>();
        while (query.HasMoreResults)
            all.AddRange(await query.ReadNextAsync(Cancellation));
        foreach (var name in new[] { "_rid", "_self", "_etag", "_attachments", "_ts" })
            all.ForEach(document => document.Remove(name));
        return [.. all.OrderBy(document => (string)document["id"]!, StringComparer.Ordinal)];
    }
}
