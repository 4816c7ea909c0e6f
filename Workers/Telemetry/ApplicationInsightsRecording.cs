using Microsoft.ApplicationInsights;
using Microsoft.ApplicationInsights.Channel;
using Microsoft.ApplicationInsights.DataContracts;

namespace ScaleOut.Workers.Telemetry;

internal sealed class ApplicationInsightsRecording : IAsyncDisposable
{
    private readonly TelemetryClient _client;
    private readonly LegScope _scope;
    private readonly string _host;
    private readonly string _operation;
    private readonly string _requestId;
    private readonly string _data;
    private readonly Dictionary<string, string> _dimensions;
    private readonly OperationSampler _sampler;
    private readonly LatencyIntervals _latency;
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _intervals;
    private long _since;
    private TimeSpan _cpu = Environment.CpuUsage.TotalTime;
    private Counts _totals;
    private IReadOnlyList<PartitionProgress> _partitions;
    private double? _budgetPerSecond;

    public ApplicationInsightsRecording(TelemetryClient client, string host, LegScope scope, TimeSpan interval)
    {
        var assignment = scope.Leg.Assignment;
        (_client, _scope, _host) = (client, scope, host);
        _since = scope.Clock.Now;
        _operation = NameOf(assignment.Workload.Kind);
        _requestId = RunOperation.RequestIdOf(assignment.RunInstanceId ?? assignment.RunId);
        _data = $"{_operation} {assignment.Container.Database}/{assignment.Container.Name}";
        _dimensions = new Dictionary<string, string>
        {
            ["runId"] = assignment.RunId,
            ["worker"] = assignment.Worker.ToString(CultureInfo.InvariantCulture),
            ["mode"] = assignment.Client.ConnectionMode.ToString(),
            ["instance"] = MachineProbe.InstanceId,
        };
        _sampler = new OperationSampler(assignment.Worker, assignment.Workers, _since, scope.Clock.Time.TimestampFrequency);
        _latency = new LatencyIntervals(() => scope.Meter.OperationLatency);
        _totals = scope.Meter.Totals;
        _partitions = scope.Meter.PartitionTotals();
        _intervals = ReportIntervalsAsync(interval);
        scope.Meter.Observer += Observe;
    }

    private void Observe(in AttemptResponse response, long startedAt, long endedAt)
    {
        if (_sampler.WeightOf(startedAt, endedAt) is > 0 and var weight)
            Report(response, startedAt, endedAt, weight);
    }

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync();
        await _intervals;
        ReportInterval();
        _ended.Dispose();
        // The records are flushed now, because the instance may end soon after the leg. The leg does not wait for that.
        _ = _client.FlushAsync(CancellationToken.None);
    }

    /// <summary>Creates of a bulk run are reported as <c>bulk</c>, because the SDK delays them to group them.</summary>
    private static string NameOf(WorkloadKind kind) => kind == WorkloadKind.Insert ? "create" : kind.ToString().ToLowerInvariant();

    private void Report(in AttemptResponse response, long startedAt, long endedAt, long weight)
    {
        var dependency = new DependencyTelemetry
        {
            Type = ApplicationInsightsNames.DependencyType,
            Target = _host,
            Name = _operation,
            Data = _data,
            Timestamp = _scope.Clock.UtcOf(startedAt),
            Duration = _scope.Clock.Elapsed(startedAt, endedAt),
            ResultCode = response.Status.ToString(CultureInfo.InvariantCulture),
            Success = response.Kind is AttemptKind.Succeeded or AttemptKind.AlreadyThere or AttemptKind.Continued,
        };
        // Application Insights computes the item count from this percentage.
        if (weight > 1)
            ((ISupportSampling)dependency).SamplingPercentage = 100.0 / weight;
        Track(dependency, dependency.Properties);
    }

    private async Task ReportIntervalsAsync(TimeSpan interval)
    {
        await ReadBudgetAsync();
        while (true)
        {
            await Task.Delay(interval, _scope.Clock.Time, _ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (_ended.IsCancellationRequested)
                return;
            ReportInterval();
        }
    }

    private async Task ReadBudgetAsync()
    {
        try
        {
            _budgetPerSecond = (await _scope.Files.ReadPreparedAsync(_ended.Token))?.BudgetPerSecond;
        }
        catch (Exception)
        {
            // The records leave the budget out: telemetry must not disturb a leg.
        }
    }

    private void ReportInterval()
    {
        var (from, until) = (_since, _scope.Clock.Now);
        var totals = _scope.Meter.Totals;
        var counts = totals - _totals;
        var cpu = Environment.CpuUsage.TotalTime;
        var seconds = _scope.Clock.SecondsTo(until) - _scope.Clock.SecondsTo(from);

        var record = new EventTelemetry(ApplicationInsightsNames.WorkerInterval) { Timestamp = _scope.Clock.UtcOf(until) };
        record.Properties["leg"] = _scope.Leg.Leg.ToString(CultureInfo.InvariantCulture);
        record.Properties["startedAtUtc"] = _scope.Clock.UtcOf(from).UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
        record.Properties["workload"] = _operation;
        var latency = _latency.Next();
        record.Properties["histogram"] = Text(latency.Buckets());
        record.Metrics["operations"] = latency.Count;
        record.Metrics["seconds"] = seconds;
        record.Metrics["inserted"] = counts.Inserted;
        record.Metrics["alreadyPresent"] = counts.AlreadyPresent;
        record.Metrics["failed"] = counts.Failed;
        record.Metrics["throttled"] = counts.Throttled;
        record.Metrics["attempts"] = counts.Attempts;
        record.Metrics["requestUnits"] = counts.RequestUnits.Value;
        record.Metrics["cpuSeconds"] = (cpu - _cpu).TotalSeconds;
        record.Metrics["inFlight"] = _scope.Meter.InFlight;
        Track(record, record.Properties);
        ReportPartitions(until, seconds);
        (_since, _totals, _cpu) = (until, totals, cpu);
    }

    private void ReportPartitions(long until, double seconds)
    {
        var partitions = _scope.Meter.PartitionTotals();
        for (var partition = 0; partition < partitions.Count; partition++)
        {
            var now = partitions[partition];
            var counts = now.Counts - _partitions[partition].Counts;
            if (counts is { RequestUnits.Parts: <= 0, Throttled: 0 })
                continue;

            var record = new EventTelemetry(ApplicationInsightsNames.PartitionInterval) { Timestamp = _scope.Clock.UtcOf(until) };
            record.Properties["partition"] = partition.ToString(CultureInfo.InvariantCulture);
            record.Properties["range"] = $"{now.Min}-{now.Max}";
            record.Metrics["seconds"] = seconds;
            record.Metrics["requestUnits"] = counts.RequestUnits.Value;
            record.Metrics["throttled"] = counts.Throttled;
            if (_budgetPerSecond is { } budget)
                record.Metrics["budgetPerSecond"] = budget / partitions.Count;
            Track(record, record.Properties);
        }

        _partitions = partitions;
    }

    private void Track(ITelemetry record, IDictionary<string, string> properties)
    {
        foreach (var (name, value) in _dimensions)
            properties[name] = value;
        record.Context.Operation.Id = RunOperation.IdOf(_dimensions["runId"]);
        record.Context.Operation.ParentId = _requestId;
        record.Context.Operation.Name = "run";
        record.Context.Cloud.RoleInstance = _dimensions["instance"];
        _client.Track(record);
    }

    private static string Text(IReadOnlyList<LatencyBucket> buckets) =>
        $"[{string.Join(',', buckets.Select(one => $"[{one.UpperBoundMs:0.###},{one.Count}]"))}]";
}
