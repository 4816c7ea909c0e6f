using Azure.Core;
using Microsoft.ApplicationInsights;
using Microsoft.ApplicationInsights.Channel;
using Microsoft.ApplicationInsights.DataContracts;
using Microsoft.ApplicationInsights.Extensibility;

namespace ScaleOut.Workers.Telemetry;

/// <summary>
/// Sends the records of <see cref="ApplicationInsightsNames"/> to Application Insights, in batches every <see cref="SendingInterval"/>. The
/// records are not sampled again. Records that cannot be sent are lost, without an effect on the leg.
/// </summary>
public sealed class ApplicationInsightsTelemetry : IRunTelemetry, IAsyncDisposable
{
    public static readonly TimeSpan SendingInterval = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(5);

    private readonly TelemetryConfiguration _configuration;
    private readonly TelemetryClient _client;
    private readonly Uri _account;

    /// <param name="account">The account's endpoint; its host is the target of dependencies.</param>
    /// <param name="credential">For a resource that requires an identity; null otherwise.</param>
    /// <exception cref="FormatException">The connection string is invalid; the message does not repeat it.</exception>
    public ApplicationInsightsTelemetry(string connectionString, Uri account, TokenCredential? credential = null)
    {
        _account = account;
        _configuration = new TelemetryConfiguration { TelemetryChannel = new InMemoryChannel { SendingInterval = SendingInterval } };
        try
        {
            _configuration.ConnectionString = connectionString;
            if (credential is not null)
                _configuration.SetAzureTokenCredential(credential);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            _configuration.Dispose();
            throw new FormatException("This is not a connection string of Application Insights.");
        }

        _client = new TelemetryClient(_configuration);
        _client.Context.Cloud.RoleName = ApplicationInsightsNames.Role;
    }

    /// <summary>Time that a record of an interval covers; null for the default of <see cref="ProgressInterval"/>.</summary>
    internal TimeSpan? Interval { get; init; }

    public IAsyncDisposable Begin(LegScope scope) => new ApplicationInsightsRecording(
        _client, _account.Host, scope, Interval ?? ProgressInterval.For(scope.Leg.Assignment.Workers));

    public void Ended(RunOutcome outcome, string instanceId, string? experimentId = null)
    {
        var (id, totals) = (outcome.RunId, outcome.Totals!);
        var state = JsonNamingPolicy.CamelCase.ConvertName(outcome.State.ToString());
        var request = new RequestTelemetry
        {
            Id = RunOperation.RequestIdOf(instanceId),
            Name = "run",
            Timestamp = totals.StartedAt,
            Duration = totals.FinishedAt - totals.StartedAt,
            ResponseCode = state,
            Success = outcome.State is RunState.Complete or RunState.Stopped,
        };
        request.Context.Operation.Id = RunOperation.IdOf(id);
        request.Context.Operation.Name = "run";
        request.Properties["runId"] = id;
        var traceId = Activity.Current?.TraceId.ToHexString();
        AddLinks(request.Properties, traceId, experimentId);
        _client.TrackRequest(request);

        TrackEnd(id, instanceId, state, outcome, traceId, experimentId);
    }

    public void Lost(string runId) => TrackEnd(runId, runId, ApplicationInsightsNames.Lost, outcome: null, traceId: null);

    /// <summary>Sends the pending records; gives up after 5 s.</summary>
    public async ValueTask DisposeAsync()
    {
        await FlushAsync();
        _configuration.TelemetryChannel.Dispose();
        _configuration.Dispose();
    }

    /// <param name="outcome">With its totals; null if there is no report.</param>
    /// <param name="traceId">Trace id of the orchestration's spans; null if unknown.</param>
    private void TrackEnd(
        string runId, string instanceId, string state, RunOutcome? outcome, string? traceId, string? experimentId = null)
    {
        // The client sets the time stamp to now: counting a container can take longer than the window of an alert.
        var ended = new EventTelemetry(ApplicationInsightsNames.RunEnded);
        ended.Context.Operation.Id = RunOperation.IdOf(runId);
        ended.Context.Operation.ParentId = RunOperation.RequestIdOf(instanceId);
        ended.Properties["runId"] = runId;
        ended.Properties["state"] = state;
        AddLinks(ended.Properties, traceId, experimentId);
        if (outcome is { Totals: { } totals })
        {
            ended.Metrics["documents"] = outcome.Counts.Done + outcome.Remaining;
            ended.Metrics["inserted"] = outcome.Counts.Inserted;
            ended.Metrics["throttled"] = outcome.Counts.Throttled;
            ended.Metrics["requestUnits"] = outcome.Counts.RequestUnits.Value;
            ended.Metrics["distinctInstances"] = totals.DistinctInstances;
            if (totals.MakespanPerSecond is { } makespan)
                ended.Metrics["makespanPerSecond"] = makespan;
        }

        _client.TrackEvent(ended);
        _ = FlushAsync();
    }

    private static void AddLinks(IDictionary<string, string> properties, string? traceId, string? experimentId)
    {
        if (traceId is not null)
            properties["traceId"] = traceId;
        if (experimentId is not null)
            properties["experimentId"] = experimentId;
    }

    private async Task FlushAsync()
    {
        using var timeout = new CancellationTokenSource(FlushTimeout);
        await ((Task)_client.FlushAsync(timeout.Token)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}

/// <summary>
/// The records that go to Application Insights, as the workbook reads them. All of a run belong to one operation, whose id is
/// <see cref="RunOperation.IdOf"/>, and so do the spans of its orchestration, unless an experiment started it.
/// <c>cloud_RoleName</c> is <see cref="Role"/>, <c>cloud_RoleInstance</c> the worker's machine or function instance.
/// <list type="table">
/// <item><term><see cref="WorkerInterval"/> (<c>customEvents</c>)</term><description>
/// One per worker and <see cref="ScaleOut.Progress.ProgressInterval"/>, and one for what is left at a leg's end. <c>customDimensions</c>:
/// <c>runId</c>, <c>worker</c>, <c>mode</c>, <c>instance</c>, <c>leg</c>, <c>workload</c> (as the name of a dependency),
/// <c>startedAtUtc</c> (ISO 8601), <c>histogram</c>: latency per operation, with waits, as <c>[[upperBoundMs, count], ...]</c>; the bounds
/// are the same in all records, each at most 12.5% above the one before, so counts of equal bounds are added and percentiles are taken from
/// the sums, never averaged. <c>customMeasurements</c>: <c>seconds</c>, <c>inserted</c>, <c>alreadyPresent</c>, <c>failed</c> (documents),
/// <c>operations</c> (that ended, each once), <c>throttled</c>, <c>attempts</c> (operations handed to the SDK, each retry counted; of
/// queries each page), <c>requestUnits</c>, <c>cpuSeconds</c> (of the worker's process, with all that runs in it), <c>inFlight</c> (at the
/// interval's end).</description></item>
/// <item><term><see cref="PartitionInterval"/> (<c>customEvents</c>)</term><description>
/// One per worker, interval and physical partition that was used. <c>customDimensions</c>: <c>runId</c>, <c>worker</c>, <c>partition</c>
/// (ordinal of its range, from 0), <c>range</c> (<c>min-max</c>, hexadecimal). <c>customMeasurements</c>: <c>seconds</c>,
/// <c>requestUnits</c>, <c>throttled</c>, <c>budgetPerSecond</c> (the container's over its partitions: assumed even; left out where the
/// account does not report it).</description></item>
/// <item><term><see cref="RunEnded"/> (<c>customEvents</c>)</term><description>
/// One per run. <c>customDimensions</c>: <c>runId</c>, <c>state</c> (as in its report, or <see cref="Lost"/>, which has none, and no
/// measurements), <c>traceId</c> (the operation of the orchestration's spans, which for a run of an experiment is not its own; left out
/// where it is unknown), <c>experimentId</c> (left out unless the run is one of an experiment). <c>customMeasurements</c>:
/// <c>documents</c> (asked), <c>inserted</c>, <c>throttled</c>, <c>requestUnits</c>, <c>distinctInstances</c>, <c>makespanPerSecond</c>
/// (left out when nothing ran). Beside it a <c>request</c> of the same operation holds the run from start to end; it has <c>runId</c>,
/// <c>traceId</c> and <c>experimentId</c>, and each resumption of the run one of its own.</description></item>
/// <item><term><see cref="DependencyType"/> (<c>dependencies</c>)</term><description>
/// One operation in <see cref="ScaleOut.Progress.TelemetrySampling.OperationsPerRecord"/>, and every one above
/// <see cref="OperationSampler.SlowMs"/>, up to <see cref="ScaleOut.Progress.TelemetrySampling.SlowOperationsPerSecond"/> per second of
/// all workers; above that the next one stands for those that were left out. <c>itemCount</c> is the number of operations that a record
/// stands for, so <c>sum(itemCount)</c> counts operations. <c>name</c>: create, upsert, batch, tablebatch, bulk, read, query, delete,
/// patch, replace or mix; <c>target</c>: the account's host; <c>data</c>: the name, database and container; <c>resultCode</c>: the status,
/// 0 without a response; <c>success</c>: whether the attempt succeeded. <c>customDimensions</c>: <c>runId</c>, <c>worker</c>, <c>mode</c>,
/// <c>instance</c>.</description></item>
/// </list>
/// No record holds a key, a connection string, or any part of a document.
/// </summary>
internal static class ApplicationInsightsNames
{
    public const string WorkerInterval = "WorkerInterval";

    public const string PartitionInterval = "PartitionInterval";

    public const string RunEnded = "RunEnded";

    /// <summary>State of a run whose orchestration ended without a report.</summary>
    public const string Lost = "lost";

    public const string DependencyType = "Azure DocumentDB";

    public const string Role = "scaleout";
}
