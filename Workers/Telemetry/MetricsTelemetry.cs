using System.Diagnostics.Metrics;

namespace ScaleOut.Workers.Telemetry;

/// <summary>
/// Legs and runs as metrics and traces of .NET, for listeners such as OpenTelemetry or <c>dotnet-counters</c>. Without a listener an
/// attempt costs three reads. All spans of a run belong to one trace, whose id is <see cref="RunOperation.IdOf"/>.
/// <list type="table">
/// <item><term><c>scaleout.attempts</c> (counter)</term><description>Operations handed to the SDK, each retry counted; tags below, and
/// <c>outcome</c>, <c>status</c>.</description></item>
/// <item><term><c>scaleout.request_units</c> (counter, RU)</term><description>Request units charged.</description></item>
/// <item><term><c>scaleout.attempt.duration</c> (histogram, s)</term><description>From handing an operation to the SDK to its
/// response.</description></item>
/// </list>
/// Tags of all: <c>run.id</c>, <c>worker</c>, <c>connection.mode</c>, <c>workload</c>. Spans: <c>leg</c> and <c>run</c>.
/// </summary>
public sealed class MetricsTelemetry : IRunTelemetry
{
    /// <summary>Name of the meter and of the activity source.</summary>
    public const string Name = "ScaleOut";

    private static readonly Meter Meter = new(Name);
    private static readonly ActivitySource Source = new(Name);
    private static readonly Counter<long> Attempts = Meter.CreateCounter<long>(
        "scaleout.attempts", "{attempt}", "Operations handed to the SDK.");
    private static readonly Counter<double> RequestUnits = Meter.CreateCounter<double>(
        "scaleout.request_units", "{RU}", "Request units charged.");
    private static readonly Histogram<double> Duration = Meter.CreateHistogram<double>(
        "scaleout.attempt.duration", "s", "Time of an attempt.");

    public IAsyncDisposable Begin(LegScope scope)
    {
        var recording = new Recording(scope);
        scope.Meter.Observer += recording.Observe;
        return recording;
    }

    public void Ended(RunOutcome outcome)
    {
        var (id, totals) = (outcome.RunId, outcome.Totals!);
        KeyValuePair<string, object?>[] tags =
        [
            new("run.id", id),
            new("run.state", outcome.State.ToString()),
            new("documents.inserted", outcome.Counts.Inserted),
            new("request_units", outcome.Counts.RequestUnits),
        ];
        using var span = Source.StartActivity("run", ActivityKind.Internal, TraceOf(id), tags, startTime: totals.StartedAt);
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

    private sealed class Recording(LegScope scope) : IAsyncDisposable
    {
        private readonly DateTimeOffset _startedAt = scope.Clock.UtcOf(LegClock.Now);
        private readonly KeyValuePair<string, object?>[] _tags =
        [
            new("run.id", scope.Leg.Assignment.RunId),
            new("worker", scope.Leg.Assignment.Worker),
            new("connection.mode", scope.Leg.Assignment.Client.ConnectionMode.ToString()),
            new("workload", scope.Leg.Assignment.Workload.Kind.ToString()),
        ];

        public void Observe(in AttemptResponse response, long startedAt, long endedAt)
        {
            if (Attempts.Enabled)
                Attempts.Add(1, [.. _tags, new("outcome", response.Kind.ToString()), new("status", response.Status)]);
            if (RequestUnits.Enabled)
                RequestUnits.Add(response.RequestUnits, _tags);
            if (Duration.Enabled)
                Duration.Record(Stopwatch.GetElapsedTime(startedAt, endedAt).TotalSeconds, _tags);
        }

        /// <summary>Makes the span only now, because a current span would go with every request as a header.</summary>
        public ValueTask DisposeAsync()
        {
            var runId = scope.Leg.Assignment.RunId;
            var run = new ActivityContext(
                ActivityTraceId.CreateFromString(RunOperation.IdOf(runId)),
                ActivitySpanId.CreateFromString(RunOperation.RequestIdOf(runId)),
                ActivityTraceFlags.Recorded);
            var totals = scope.Meter.Totals;
            KeyValuePair<string, object?>[] tags =
            [
                .. _tags,
                new("leg", scope.Leg.Leg),
                new("documents.inserted", totals.Inserted),
                new("throttled", totals.Throttled),
                new("request_units", totals.RequestUnits),
            ];
            var before = Activity.Current;
            using (Source.StartActivity("leg", ActivityKind.Internal, run, tags, startTime: _startedAt))
            {
            }

            Activity.Current = before;
            return ValueTask.CompletedTask;
        }
    }
}
