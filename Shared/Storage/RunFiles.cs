using System.Globalization;
using System.Text;
using System.Text.Json;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Measurement;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Storage;

/// <summary>The items of one run in the run store, by what they mean.</summary>
public sealed class RunFiles(IRunStore store, string runId)
{
    private const string SpecName = "spec.json";
    private const string PreparedName = "prepared.json";
    private const string VerifiedName = "verified.json";
    private const string StartName = "start.json";
    private const string StopName = "stop";
    private const string ListingName = "listing.json";
    private const string EndingName = "ending.json";
    private const string EndedName = "ended.json";
    private const string ContainerGoneName = "container-gone";
    private const string TakenUpName = "taken-up.json";
    private const string ReadyPrefix = "ready/";
    private const string PopulationPrefix = "population/";
    private const string LegsPrefix = "legs/";
    private const string ResultSuffix = "/result.json";

    /// <summary>The run.</summary>
    public string RunId => runId;

    /// <summary>Claims the run's id with its spec; false when the id is in use, be it by a run or by an experiment.</summary>
    public async Task<bool> TryClaimAsync(RunSpec spec, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, ExperimentFiles.SpecName, cancellationToken) is null
        && await store.TryCreateAsync(runId, SpecName, Serialize(spec), cancellationToken);

    /// <summary>The claimed spec as JSON; null when there is no such run.</summary>
    public Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) => store.ReadAsync(runId, SpecName, cancellationToken);

    /// <summary>The claimed spec; null when there is no such run, or when what it was claimed with is no spec of this version.</summary>
    public async Task<RunSpec?> ReadClaimedAsync(CancellationToken cancellationToken) =>
        await ReadSpecAsync(cancellationToken) is { } json ? RunSpecReader.Read(Encoding.UTF8.GetString(json)).Spec : null;

    /// <summary>Keeps how the list of runs shows this one; the first call wins, so that a repeated one lists the run no second time.</summary>
    public async Task<RunListing> KeepListingAsync(RunListing listing, CancellationToken cancellationToken) =>
        await store.TryCreateAsync(runId, ListingName, Serialize(listing), cancellationToken)
            ? listing
            : await ReadListingAsync(cancellationToken) ?? listing;

    /// <summary>How the list of runs shows this one; null when it was never listed.</summary>
    public Task<RunListing?> ReadListingAsync(CancellationToken cancellationToken) => ReadAsync<RunListing>(ListingName, cancellationToken);

    /// <summary>Keeps what is known of the container before the first write; the first writer wins, so that a repeated preparation keeps the first count.</summary>
    public async Task<PreparedContainer> KeepPreparedAsync(PreparedContainer prepared, CancellationToken cancellationToken) =>
        await store.TryCreateAsync(runId, PreparedName, Serialize(prepared), cancellationToken)
            ? prepared
            : await ReadPreparedAsync(cancellationToken) ?? prepared;

    public Task<PreparedContainer?> ReadPreparedAsync(CancellationToken cancellationToken) => ReadAsync<PreparedContainer>(PreparedName, cancellationToken);

    /// <summary>Keeps the verified count.</summary>
    public Task WriteVerificationAsync(Verification verification, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, VerifiedName, Serialize(verification), cancellationToken);

    /// <summary>Marks a worker as ready to start.</summary>
    public Task MarkReadyAsync(int worker, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, ReadyPrefix + Number(worker, 4), ReadOnlyMemory<byte>.Empty, cancellationToken);

    /// <summary>How many workers are ready to start.</summary>
    public async Task<int> CountReadyAsync(CancellationToken cancellationToken) => (await store.ListAsync(runId, ReadyPrefix, cancellationToken)).Count;

    /// <summary>Notes that a worker has put its share of the documents that the workload needs.</summary>
    public Task KeepPopulationAsync(int worker, PopulationShare share, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, PopulationPrefix + Number(worker, 4) + ".json", Serialize(share), cancellationToken);

    /// <summary>What a worker has put before the start; null when it has not finished that.</summary>
    public Task<PopulationShare?> ReadPopulationAsync(int worker, CancellationToken cancellationToken) =>
        ReadAsync<PopulationShare>(PopulationPrefix + Number(worker, 4) + ".json", cancellationToken);

    /// <summary>Sets the common start instant unless it is set; returns the one that holds.</summary>
    public async Task<StartInstant> SetStartAsync(StartInstant start, CancellationToken cancellationToken) =>
        await store.TryCreateAsync(runId, StartName, Serialize(start), cancellationToken)
            ? start
            : await ReadStartAsync(cancellationToken) ?? start;

    /// <summary>The common start instant; null while it is not set.</summary>
    public Task<StartInstant?> ReadStartAsync(CancellationToken cancellationToken) => ReadAsync<StartInstant>(StartName, cancellationToken);

    /// <summary>Asks all legs to end; they poll this flag every second.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) => store.TryCreateAsync(runId, StopName, ReadOnlyMemory<byte>.Empty, cancellationToken);

    public async Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) => await store.ReadAsync(runId, StopName, cancellationToken) is not null;

    /// <summary>Takes the request to stop back.</summary>
    public Task WithdrawStopAsync(CancellationToken cancellationToken) => store.DeleteAsync(runId, name => name == StopName, cancellationToken);

    /// <summary>Throws away what the run did, so that it can be measured anew. Its claim and its place in the list of runs stay.</summary>
    public Task DiscardAsync(CancellationToken cancellationToken) => store.DeleteAsync(runId, name => name is not (SpecName or ListingName or TakenUpName), cancellationToken);

    /// <summary>Notes that the run is measured anew.</summary>
    public Task WriteTakenUpAsync(RunTakenUp takenUp, CancellationToken cancellationToken) => store.WriteAsync(runId, TakenUpName, Serialize(takenUp), cancellationToken);

    /// <summary>When the run was last measured anew, and by what; null when it was not.</summary>
    public Task<RunTakenUp?> ReadTakenUpAsync(CancellationToken cancellationToken) => ReadAsync<RunTakenUp>(TakenUpName, cancellationToken);

    /// <summary>Claims the next attempt at a leg; returns its number, from 1.</summary>
    public async Task<int> ClaimAttemptAsync(int worker, int leg, string instanceId, CancellationToken cancellationToken)
    {
        var claim = JsonSerializer.SerializeToUtf8Bytes(new { instanceId, processId = Environment.ProcessId }, ScaleOutJson.Compact);
        for (var attempt = 1; ; attempt++)
        {
            if (await store.TryCreateAsync(runId, $"{LegFolder(worker, leg)}/attempt-{Number(attempt, 3)}.json", claim, cancellationToken))
                return attempt;
        }
    }

    /// <summary>Keeps a leg's result unless there is one; returns the one that holds, so that a leg that ran twice counts once.</summary>
    public async Task<LegResult> KeepResultAsync(LegResult result, CancellationToken cancellationToken)
    {
        var name = LegFolder(result.Output.Worker, result.Output.Leg) + ResultSuffix;
        return await store.TryCreateAsync(runId, name, Serialize(result), cancellationToken)
            ? result
            : await ReadAsync<LegResult>(name, cancellationToken) ?? result;
    }

    /// <summary>A leg's result; null when it has none.</summary>
    public Task<LegResult?> ReadResultAsync(int worker, int leg, CancellationToken cancellationToken) =>
        ReadAsync<LegResult>(LegFolder(worker, leg) + ResultSuffix, cancellationToken);

    /// <summary>All leg results of the run, by worker and leg, and how many attempts were begun without one.</summary>
    public async Task<LegHarvest> ReadLegsAsync(CancellationToken cancellationToken)
    {
        var names = await store.ListAsync(runId, LegsPrefix, cancellationToken);
        var results = new List<LegResult>();
        foreach (var name in names.Where(name => name.EndsWith(ResultSuffix, StringComparison.Ordinal)))
        {
            if (await ReadAsync<LegResult>(name, cancellationToken) is { } result)
                results.Add(result);
        }

        return new LegHarvest(results, LostAmong(names));
    }

    /// <summary>How many attempts at legs were begun and left no result, so far.</summary>
    public async Task<int> CountLostLegsAsync(CancellationToken cancellationToken) => LostAmong(await store.ListAsync(runId, LegsPrefix, cancellationToken));

    /// <summary>Writes one form of the report, such as <c>report.json</c>.</summary>
    public Task WriteReportAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, name, content, cancellationToken);

    /// <summary>One form of the report; null when there is none. One without content is none.</summary>
    public async Task<byte[]?> ReadReportAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, name, cancellationToken) is { Length: > 0 } content ? content : null;

    /// <summary>Keeps how the run ended unless that is kept: from now on its report says that, however often it is made.</summary>
    public Task KeepEndingAsync(RunEnding ending, CancellationToken cancellationToken) => store.TryCreateAsync(runId, EndingName, Serialize(ending), cancellationToken);

    /// <summary>How the run ended; null while that is open.</summary>
    public Task<RunEnding?> ReadEndingAsync(CancellationToken cancellationToken) => ReadAsync<RunEnding>(EndingName, cancellationToken);

    /// <summary>Notes that the run has ended, when nothing is left to do. Calling it again writes the same again.</summary>
    public Task WriteEndedAsync(RunEnded ended, CancellationToken cancellationToken) => store.WriteAsync(runId, EndedName, Serialize(ended), cancellationToken);

    /// <summary>How and when the run ended; null while it has not.</summary>
    public Task<RunEnded?> ReadEndedAsync(CancellationToken cancellationToken) => ReadAsync<RunEnded>(EndedName, cancellationToken);

    /// <summary>Takes back that the run has ended, for one that ended before it began and begins now.</summary>
    public Task WithdrawEndedAsync(CancellationToken cancellationToken) => store.DeleteAsync(runId, name => name == EndedName, cancellationToken);

    /// <summary>Notes that no container of the run's own is left to delete: it was deleted, or the run never made one.</summary>
    public Task MarkContainerGoneAsync(CancellationToken cancellationToken) => store.TryCreateAsync(runId, ContainerGoneName, ReadOnlyMemory<byte>.Empty, cancellationToken);

    public async Task<bool> IsContainerGoneAsync(CancellationToken cancellationToken) => await store.ReadAsync(runId, ContainerGoneName, cancellationToken) is not null;

    /// <summary>Each result is that of one attempt.</summary>
    private static int LostAmong(IReadOnlyList<string> names)
    {
        var results = names.Count(name => name.EndsWith(ResultSuffix, StringComparison.Ordinal));
        return names.Count - results - results;
    }

    private static string LegFolder(int worker, int leg) => $"{LegsPrefix}{Number(worker, 4)}/{Number(leg, 6)}";

    private static string Number(int value, int digits) => value.ToString("D" + digits, CultureInfo.InvariantCulture);

    private static byte[] Serialize<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, ScaleOutJson.Compact);

    private async Task<T?> ReadAsync<T>(string name, CancellationToken cancellationToken)
        where T : class =>
        await store.ReadAsync(runId, name, cancellationToken) is { } bytes ? JsonSerializer.Deserialize<T>(bytes, ScaleOutJson.Compact) : null;
}
