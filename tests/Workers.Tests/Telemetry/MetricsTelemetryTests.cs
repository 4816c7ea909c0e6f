using System.Diagnostics.Metrics;
using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Telemetry;

/// <summary>The measurements and spans that an exporter would get.</summary>
public sealed class MetricsTelemetryTests : IDisposable
{
    private readonly string _runId = $"r{Guid.NewGuid():N}"[..20];
    private readonly ConcurrentQueue<(string Name, double Value, Dictionary<string, object?> Tags)> _measurements = new();
    private readonly ConcurrentQueue<Activity> _spans = new();
    private readonly MeterListener _meters = new();
    private readonly ActivityListener _activities;

    public MetricsTelemetryTests()
    {
        _meters.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == MetricsTelemetry.Name)
                listener.EnableMeasurementEvents(instrument);
        };
        _meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Take(instrument.Name, value, tags));
        _meters.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Take(instrument.Name, value, tags));
        _meters.Start();
        _activities = new ActivityListener
        {
            ShouldListenTo = source => source.Name == MetricsTelemetry.Name,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span =>
            {
                if (Equals(span.GetTagItem("run.id"), _runId))
                    _spans.Enqueue(span);
            },
        };
        ActivitySource.AddActivityListener(_activities);
    }

    public void Dispose()
    {
        _meters.Dispose();
        _activities.Dispose();
    }

    [Fact]
    public async Task Leg_Attempts_AreCountedWithTheirOutcomeAndRequestUnits()
    {
        await RecordAsync();

        Assert.Equal(2, Sum("scaleout.attempts", "Succeeded"));
        Assert.Equal(1, Sum("scaleout.attempts", "Throttled"));
        Assert.Equal(11, _measurements.Where(m => m.Name == "scaleout.request_units").Sum(m => m.Value), precision: 6);
        Assert.All(_measurements.Where(m => m.Name == "scaleout.attempt.duration"), m => Assert.InRange(m.Value, 0.002, 0.003));
        Assert.All(
            _measurements, m => Assert.Equal((0, "Direct", "Insert"), (m.Tags["worker"], m.Tags["connection.mode"], m.Tags["workload"])));
    }

    [Fact]
    public async Task Spans_OfLegAndRun_BelongToOneTraceAndDoNotChangeTheCurrentOne()
    {
        using var current = new Activity("caller").Start();

        await RecordAsync();
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = _runId, Documents = 4_000 } };
        new MetricsTelemetry().Ended(ReportSaver.OutcomeOf(sample.Ending(), sample.Build()), sample.Spec.Id!);

        Assert.Same(current, Activity.Current);
        Assert.Equal(["leg", "run"], _spans.Select(span => span.OperationName));
        Assert.All(_spans, span => Assert.Equal(RunOperation.IdOf(_runId), span.TraceId.ToHexString()));
        Assert.Equal(RunOperation.RequestIdOf(_runId), _spans.First().ParentSpanId.ToHexString());
        Assert.Equal(3, _spans.First().GetTagItem("leg"));
        Assert.True(_spans.Last().Duration > TimeSpan.FromSeconds(10));
    }

    private async Task RecordAsync()
    {
        var clock = new LegClock(TimeProvider.System);
        var meter = new LegMeter(clock, new PartitionRanges(PartitionKeyVersion.V2, [("", "FF")]), TimeSpan.FromMinutes(1));
        var leg = new LegInput { Assignment = Script.Assignment(new NumberRange(0, 10)) with { RunId = _runId }, Leg = 3, Next = 0 };
        var scope = new LegScope { Leg = leg, Clock = clock, Meter = meter, Files = new RunFiles(new MemoryRunStore(), _runId) };
        await using var recording = new MetricsTelemetry().Begin(scope);
        foreach (var kind in (AttemptKind[])[AttemptKind.Succeeded, AttemptKind.Throttled, AttemptKind.Succeeded])
        {
            var now = clock.Now;
            meter.BeginOperation();
            var (status, charge) = kind == AttemptKind.Succeeded ? (201, 5.5) : (429, 0);
            var response = new AttemptResponse(kind, status, 0, RequestUnits.From(charge), default, null);
            meter.Attempt(response, now - (Stopwatch.Frequency / 500), now, partition: 0);
        }
    }

    private double Sum(string name, string outcome) =>
        _measurements.Where(m => m.Name == name && Equals(m.Tags["outcome"], outcome)).Sum(m => m.Value);

    private void Take(string name, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var all = new Dictionary<string, object?>(tags.ToArray());
        if (Equals(all.GetValueOrDefault("run.id"), _runId))
            _measurements.Enqueue((name, value, all));
    }
}
