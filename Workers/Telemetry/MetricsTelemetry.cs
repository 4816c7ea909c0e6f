using System.Diagnostics.Metrics;

namespace ScaleOut.Workers.Telemetry;

/// <summary>
/// Legs and runs as metrics and traces of .NET, for listeners such as OpenTelemetry or <c>dotnet-counters</c>: what Application Insights
/// gets as <see cref="ApplicationInsightsNames"/>. Without a listener an attempt costs three reads. All spans of a run belong to one trace,
/// whose id is <see cref="RunOperation.IdOf"/>.
/// Tags of all: <c>run.id</c>, <c>worker</c>, <c>connection.mode</c>, <c>workload</c>. Spans: <c>leg</c> and <c>run</c>.
/// </summary>
public sealed class MetricsTelemetry : IRunTelemetry
{
    /// <summary>Name of the meter and of the activity source.</summary>
    public const string Name = "ScaleOut";

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    /// <summary>Bounds of the buckets of durations, s.</summary>
    private static readonly InstrumentAdvice<double> Durations = new()
    {
        HistogramBucketBoundaries = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
    };

    private static readonly Meter Meter = new(Name);
    private static readonly ActivitySource Source = new(Name);
    private static readonly Counter<long> Attempts = Meter.CreateCounter<long>(
        "scaleout.attempts", "{attempt}", "Operations handed to the SDK, each retry counted, by outcome and status.");
    private static readonly Counter<long> Documents = Meter.CreateCounter<long>(
        "scaleout.documents", "{document}", "Documents by what became of them.");
    private static readonly Counter<double> RequestUnits = Meter.CreateCounter<double>(
        "scaleout.request_units", "{RU}", "Request units charged.");
    private static readonly Counter<double> PartitionRequestUnits = Meter.CreateCounter<double>(
        "scaleout.partition.request_units", "{RU}", "Request units charged in a physical partition.");
    private static readonly Counter<long> PartitionThrottled = Meter.CreateCounter<long>(
        "scaleout.partition.throttled", "{attempt}", "429s of a physical partition.");
    private static readonly Counter<double> Cpu = Meter.CreateCounter<double>("scaleout.cpu", "s", "CPU time of the worker's process.");
    private static readonly Gauge<long> InFlight = Meter.CreateGauge<long>(
        "scaleout.in_flight", "{operation}", "Operations handed to the SDK and not back.");
    private static readonly Histogram<double> Duration = Meter.CreateHistogram(
        "scaleout.attempt.duration", "s", "Time of an attempt.", advice: Durations);
    private static readonly Histogram<double> OperationDuration = Meter.CreateHistogram(
        "scaleout.operation.duration", "s", "Time of an operation, with the waits after 429s.", advice: Durations);

    public IAsyncDisposable Begin(LegScope scope)
    {
        var recording = new Recording(scope);
        scope.Meter.Observer += recording.Observe;
        if (OperationDuration.Enabled)
            scope.Meter.OperationObserver += recording.ObserveOperation;
        return recording;
    }

    public void Ended(RunOutcome outcome, string instanceId, string? experimentId = null)
    {
        var (id, totals) = (outcome.RunId, outcome.Totals!);
        KeyValuePair<string, object?>[] tags =
        [
            new("run.id", id),
            new("run.state", outcome.State.ToString()),
            new("documents.inserted", outcome.Counts.Inserted),
            new("request_units", outcome.Counts.RequestUnits.Value),
        ];
        using var span = Source.StartActivity("run", ActivityKind.Internal, TraceOf(id), tags, startTime: totals.StartedAt);
        if (experimentId is not null)
            span?.SetTag("experiment.id", experimentId);
        span?.SetEndTime(totals.FinishedAt.UtcDateTime);
    }

    public void Lost(string runId)
    {
        using var span = Source.StartActivity(
            "run", ActivityKind.Internal, TraceOf(runId), [new("run.id", runId), new("run.state", ApplicationInsightsNames.Lost)]);
        span?.SetStatus(ActivityStatusCode.Error);
    }

    private static ActivityContext TraceOf(string runId) =>
        new(ActivityTraceId.CreateFromString(RunOperation.IdOf(runId)), default, ActivityTraceFlags.Recorded);

    private sealed class Recording : IAsyncDisposable
    {
        private readonly LegScope _scope;
        private readonly DateTimeOffset _startedAt;
        private readonly KeyValuePair<string, object?>[] _tags;
        private readonly CancellationTokenSource _ended = new();
        private readonly Task _intervals;
        private Counts _totals;
        private readonly ConcurrentDictionary<(AttemptKind Kind, int Status), KeyValuePair<string, object?>[]> _tagsOfAttempts = new();
        private readonly List<KeyValuePair<string, object?>[]> _tagsOfPartitions = [];
        private IReadOnlyList<PartitionProgress> _partitions = [];
        private TimeSpan _cpu = Environment.CpuUsage.TotalTime;

        public Recording(LegScope scope)
        {
            var assignment = scope.Leg.Assignment;
            (_scope, _startedAt) = (scope, scope.Clock.UtcOf(scope.Clock.Now));
            _tags =
            [
                new("run.id", assignment.RunId),
                new("worker", assignment.Worker),
                new("connection.mode", assignment.Client.ConnectionMode.ToString()),
                new("workload", assignment.Workload.Kind.ToString()),
            ];
            // A listener that is added during a leg does not get the figures of that leg's intervals.
            _intervals = Documents.Enabled || PartitionRequestUnits.Enabled ? ReportIntervalsAsync() : Task.CompletedTask;
        }

        public void Observe(in AttemptResponse response, long startedAt, long endedAt)
        {
            if (Attempts.Enabled)
            {
                Attempts.Add(1, _tagsOfAttempts.GetOrAdd(
                    (response.Kind, response.Status),
                    static (attempt, tags) => [.. tags, new("outcome", attempt.Kind.ToString()), new("status", attempt.Status)],
                    _tags));
            }

            if (Duration.Enabled)
                Duration.Record(_scope.Clock.Elapsed(startedAt, endedAt).TotalSeconds, _tags);
        }

        public void ObserveOperation(long startedAt, long endedAt) =>
            OperationDuration.Record(_scope.Clock.Elapsed(startedAt, endedAt).TotalSeconds, _tags);

        private async Task ReportIntervalsAsync()
        {
            while (!_ended.IsCancellationRequested)
            {
                await Task.Delay(Interval, _scope.Clock.Time, _ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                ReportInterval();
            }
        }

        private void ReportInterval()
        {
            var (totals, cpu) = (_scope.Meter.Totals, Environment.CpuUsage.TotalTime);
            var counts = totals - _totals;
            foreach (var (outcome, count) in new[]
            {
                ("inserted", counts.Inserted), ("alreadyPresent", counts.AlreadyPresent), ("failed", counts.Failed),
            })
            {
                if (count > 0)
                    Documents.Add(count, [.. _tags, new("outcome", outcome)]);
            }

            RequestUnits.Add(counts.RequestUnits.Value, _tags);
            Cpu.Add((cpu - _cpu).TotalSeconds, _tags);
            InFlight.Record(_scope.Meter.InFlight, _tags);
            (_totals, _cpu) = (totals, cpu);
            ReportPartitions();
        }

        private void ReportPartitions()
        {
            var partitions = _scope.Meter.PartitionProgress();
            for (var partition = 0; partition < partitions.Count; partition++)
            {
                var now = partitions[partition];
                var counts = partition < _partitions.Count ? now.Counts - _partitions[partition].Counts : now.Counts;
                if (partition == _tagsOfPartitions.Count)
                    _tagsOfPartitions.Add([.. _tags, new("partition", partition), new("range", $"{now.Min}-{now.Max}")]);
                if (counts.RequestUnits.Parts > 0)
                    PartitionRequestUnits.Add(counts.RequestUnits.Value, _tagsOfPartitions[partition]);
                if (counts.Throttled > 0)
                    PartitionThrottled.Add(counts.Throttled, _tagsOfPartitions[partition]);
            }

            _partitions = partitions;
        }

        /// <summary>Creates the span only at the end, because a current span would be sent as a header with every request.</summary>
        public async ValueTask DisposeAsync()
        {
            // The last interval is reported as the task ends.
            await _ended.CancelAsync();
            await _intervals;
            _ended.Dispose();
            EndSpan();
        }

        private void EndSpan()
        {
            var assignment = _scope.Leg.Assignment;
            var run = new ActivityContext(
                ActivityTraceId.CreateFromString(RunOperation.IdOf(assignment.RunId)),
                ActivitySpanId.CreateFromString(RunOperation.RequestIdOf(assignment.RunInstanceId ?? assignment.RunId)),
                ActivityTraceFlags.Recorded);
            var totals = _scope.Meter.Totals;
            KeyValuePair<string, object?>[] tags =
            [
                .. _tags,
                new("leg", _scope.Leg.Leg),
                new("documents.inserted", totals.Inserted),
                new("throttled", totals.Throttled),
                new("request_units", totals.RequestUnits.Value),
            ];
            var before = Activity.Current;
            using (Source.StartActivity("leg", ActivityKind.Internal, run, tags, startTime: _startedAt))
            {
            }

            Activity.Current = before;
        }
    }
}
