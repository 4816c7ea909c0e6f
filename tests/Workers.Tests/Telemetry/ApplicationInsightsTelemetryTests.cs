using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Telemetry;

/// <summary>The records that arrive at an ingestion endpoint.</summary>
public sealed class ApplicationInsightsTelemetryTests : IAsyncLifetime
{
    private static readonly Uri Account = new("https://mine.documents.azure.com:443/");
    private static readonly AttemptResponse Created = new(AttemptKind.Succeeded, 201, 0, RequestUnits.From(5.5), default, null);
    private static readonly AttemptResponse Throttled =
        new(AttemptKind.Throttled, 429, 3200, default, TimeSpan.FromMilliseconds(5), "secret-reason");

    private readonly LegClock _clock = new(TimeProvider.System);
    private readonly PartitionRanges _partitions = new(PartitionKeyVersion.V2, [("", "1F"), ("1F", "3F"), ("3F", "FF")]);
    private readonly RunFiles _files = new(new MemoryRunStore(), "test");
    private Ingestion _ingestion = null!;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => _ingestion = await Ingestion.StartAsync();

    public ValueTask DisposeAsync() => _ingestion.DisposeAsync();

    [Fact]
    public async Task Leg_Ended_SendsOneRecordOfItsCountsAndOneOfEachPartitionItUsed()
    {
        await _files.CreatePreparedIfAbsentAsync(
            new() { Target = ScriptedRun.Target, Created = true, Simulated = true, CountBefore = 0, BudgetPerSecond = 6_000 },
            Cancellation);
        await RecordAsync(meter =>
        {
            for (var i = 0; i < 400; i++)
                Operation(meter, Created, milliseconds: 2, partition: 0);
            for (var i = 0; i < 100; i++)
                Operation(meter, Created, milliseconds: 20, partition: 2);
            Operation(meter, Throttled, milliseconds: 1, partition: 2);
            meter.Finished(new Counts { AlreadyPresent = 3, Failed = 2 }, _clock.Now, partition: 0);
            return Task.CompletedTask;
        });

        var record = Assert.Single(Named(ApplicationInsightsNames.WorkerInterval));
        Assert.Equal("EventData", record.Type);
        Assert.Equal(
            ["test", "0", "Direct", MachineProbe.InstanceId, "3", "create"],
            new[] { "runId", "worker", "mode", "instance", "leg", "workload" }.Select(record.Dimension));
        Assert.InRange(
            DateTimeOffset.Parse(record.Dimension("startedAtUtc")!, CultureInfo.InvariantCulture),
            DateTimeOffset.UtcNow.AddMinutes(-5),
            DateTimeOffset.UtcNow);
        Assert.Equal(
            [500, 3, 2, 1, 501, 500],
            new[] { "inserted", "alreadyPresent", "failed", "throttled", "attempts", "operations" }.Select(record.Measurement));
        Assert.Equal(500 * 5.5, record.Measurement("requestUnits"), precision: 6);
        Assert.True(record.Measurement("seconds") > 0);
        Assert.Subset(record.Measurements.ToHashSet(), new HashSet<string> { "cpuSeconds", "inFlight" });
        Assert.Equal(500, record.Histogram.Sum(bucket => bucket.Count));
        Assert.Equal(400, record.Histogram.Single(bucket => bucket.UpperBoundMs is > 2 and < 2.3).Count);
        Assert.Equal(100, record.Histogram.Single(bucket => bucket.UpperBoundMs is > 20 and < 22.6).Count);

        var partitions =
            Named(ApplicationInsightsNames.PartitionInterval).OrderBy(r => r.Dimension("partition"), StringComparer.Ordinal).ToList();
        Assert.Equal([("0", "-1F"), ("2", "3F-FF")], partitions.Select(r => (r.Dimension("partition"), r.Dimension("range"))));
        Assert.Equal([2_200, 550], partitions.Select(r => Math.Round(r.Measurement("requestUnits"), 6)));
        Assert.Equal([0, 1], partitions.Select(r => r.Measurement("throttled")));
        Assert.All(partitions, r => Assert.Equal(2_000, r.Measurement("budgetPerSecond")));
        Assert.All(_ingestion.Records, AssertOfTheRun);
        Assert.DoesNotContain("secret-reason", _ingestion.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Leg_OverSeveralIntervals_HasTheSumsOfItsRecords()
    {
        await RecordAsync(
            async meter =>
            {
                for (var i = 0; i < 40; i++)
                {
                    Operation(meter, Created, milliseconds: 2, partition: i % 3);
                    await Task.Delay(10, Cancellation);
                }
            },
            interval: TimeSpan.FromMilliseconds(50));

        var records = Named(ApplicationInsightsNames.WorkerInterval);
        Assert.True(records.Count > 2);
        Assert.Equal(40, records.Sum(r => r.Measurement("inserted")));
        Assert.Equal(40, records.Sum(r => r.Histogram.Sum(bucket => bucket.Count)));
        Assert.Equal(40 * 5.5, Named(ApplicationInsightsNames.PartitionInterval).Sum(r => r.Measurement("requestUnits")), precision: 6);
        Assert.DoesNotContain("budgetPerSecond", _ingestion.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Operations_FastAndSlow_SendsOneInAThousandAndEverySlowOneWithItemCounts()
    {
        await RecordAsync(meter =>
        {
            for (var i = 0; i < 5_000; i++)
                Operation(meter, Created, milliseconds: 3, partition: 0);
            for (var i = 0; i < 20; i++)
                Operation(meter, i % 2 == 0 ? Created : Throttled, milliseconds: 150, partition: 1);
            return Task.CompletedTask;
        });

        var dependencies = _ingestion.Records.Where(r => r.Type == "RemoteDependencyData").ToList();
        Assert.Equal(25, dependencies.Count);
        Assert.Equal(5_020, dependencies.Sum(r => r.ItemCount), precision: 3);
        Assert.Equal(20, dependencies.Count(r => r.ItemCount == 1));
        Assert.Equal(
            (15, 10), (dependencies.Count(r => r.Field("success") == "True"), dependencies.Count(r => r.Field("resultCode") == "429")));
        var data = $"create {ScriptedRun.Target.Database}/{ScriptedRun.Target.Name}";
        Assert.All(dependencies, r => Assert.Equal(
            (ApplicationInsightsNames.DependencyType, "create", "mine.documents.azure.com", data),
            (r.Field("type"), r.Field("name"), r.Field("target"), r.Field("data"))));
        Assert.All(dependencies.Where(r => r.ItemCount == 1), r => Assert.InRange(
            TimeSpan.Parse(r.Field("duration")!, CultureInfo.InvariantCulture).TotalMilliseconds, 149, 151));
        Assert.All(dependencies, AssertOfTheRun);
    }

    /// <summary>Runs the query of the workbook on the records that arrive.</summary>
    [Fact]
    public async Task CallsPerOperation_OfRecordedLegs_CountsEveryTryOfAnOperation()
    {
        await RecordAsync(
            async meter =>
            {
                for (var i = 0; i < 100; i++)
                {
                    // Every fourth operation is throttled once before it succeeds.
                    if (i % 4 == 0)
                        Operation(meter, Throttled, milliseconds: 1, partition: 0);
                    Operation(meter, Created, milliseconds: 2, partition: 0);
                    if (i % 10 == 0)
                        await Task.Delay(5, Cancellation);
                }
            },
            interval: TimeSpan.FromMilliseconds(20));

        var row = Assert.Single(KustoQuery.Run(
            InfraFiles.Read("workbook/calls-per-operation.kql").Replace("{Run}", "test", StringComparison.Ordinal), _ingestion.Records));

        Assert.Equal(
            ("create", "Direct", 125.0, 100.0, 25.0),
            (row["workload"], row["connectionMode"], row["calls"], row["operations"], row["throttled"]));
        Assert.Equal(1.25, (double)row["callsPerOperation"]!, precision: 9);
    }

    [Fact]
    public async Task Run_Ended_SendsAnEventAndTheRequestThatIsTheParentOfAllOtherRecords()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        var report = sample.Build();
        await using (var telemetry = new ApplicationInsightsTelemetry(_ingestion.ConnectionString, Account))
            telemetry.Ended(ReportSaver.OutcomeOf(sample.Ending(), report), "test");

        var ended = Assert.Single(Named(ApplicationInsightsNames.RunEnded));
        Assert.Equal(("test", "complete"), (ended.Dimension("runId"), ended.Dimension("state")));
        Assert.Equal(
            [
                4_000, report.Documents.Inserted, report.Requests.Throttled, report.RequestUnits.Total, report.DistinctInstances,
                report.Throughput.MakespanPerSecond!.Value,
            ],
            new[] { "documents", "inserted", "throttled", "requestUnits", "distinctInstances", "makespanPerSecond" }.Select(
                ended.Measurement));
        AssertOfTheRun(ended);
        Assert.InRange(ended.Timestamp, DateTimeOffset.UtcNow.AddMinutes(-5), DateTimeOffset.UtcNow);
        var request = Assert.Single(_ingestion.Records, r => r.Type == "RequestData");
        Assert.Equal(
            (RunOperation.RequestIdOf("test"), "True", "complete"),
            (request.Field("id"), request.Field("success"), request.Field("responseCode")));
        Assert.Equal(RunOperation.IdOf("test"), request.Tag("ai.operation.id"));
        Assert.Equal(2, _ingestion.Records.Count);
    }

    [Fact]
    public async Task Run_OfAnExperiment_NamesItInRequestAndEvent()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        await using (var telemetry = new ApplicationInsightsTelemetry(_ingestion.ConnectionString, Account))
            telemetry.Ended(ReportSaver.OutcomeOf(sample.Ending(), sample.Build()), "test", "ladder");

        Assert.Equal(2, _ingestion.Records.Count);
        Assert.All(_ingestion.Records, record => Assert.Equal("ladder", record.Dimension("experimentId")));
    }

    /// <summary>Records with the same id would be one request with two ends.</summary>
    [Fact]
    public async Task Run_Resumed_IsAnotherRequestOfTheSameOperationWithTheTraceOfItsOrchestration()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        var outcome = ReportSaver.OutcomeOf(sample.Ending(), sample.Build());
        using var activity = new Activity("SaveReport").Start();
        await using (var telemetry = new ApplicationInsightsTelemetry(_ingestion.ConnectionString, Account))
        {
            telemetry.Ended(outcome, "test");
            telemetry.Ended(outcome, ChildIds.Attempt("test", 2));
        }

        var requests = _ingestion.Records.Where(r => r.Type == "RequestData").ToList();
        Assert.Equal(
            [RunOperation.RequestIdOf("test"), RunOperation.RequestIdOf("test:resumed-2")], requests.Select(r => r.Field("id")));
        Assert.Equal(2, requests.Select(r => r.Field("id")).Distinct().Count());
        // A parent would be among the spans whose parent the request itself is.
        Assert.All(requests, r => Assert.Null(r.Tag("ai.operation.parentId")));
        var ends = Named(ApplicationInsightsNames.RunEnded);
        Assert.Equal(requests.Select(r => r.Field("id")), ends.Select(r => r.Tag("ai.operation.parentId")));
        Assert.All(requests.Concat(ends), r => Assert.Equal(
            (RunOperation.IdOf("test"), activity.TraceId.ToHexString()), (r.Tag("ai.operation.id"), r.Dimension("traceId"))));
    }

    [Fact]
    public async Task Leg_OfAResumedRun_BelongsToItsRequest()
    {
        await RecordAsync(
            meter =>
            {
                Operation(meter, Created, milliseconds: 2, partition: 0);
                return Task.CompletedTask;
            },
            runInstanceId: "test:resumed-2");

        Assert.Equal(
            RunOperation.RequestIdOf("test:resumed-2"),
            Assert.Single(Named(ApplicationInsightsNames.WorkerInterval)).Tag("ai.operation.parentId"));
    }

    [Fact]
    public async Task Run_Lost_SendsAnEvent()
    {
        await using (var telemetry = new ApplicationInsightsTelemetry(_ingestion.ConnectionString, Account))
            telemetry.Lost("test");

        var lost = Assert.Single(_ingestion.Records);
        Assert.Equal(
            (ApplicationInsightsNames.RunEnded, "test", "lost"), (lost.Field("name"), lost.Dimension("runId"), lost.Dimension("state")));
        AssertOfTheRun(lost);
    }

    [Fact]
    public void Telemetry_NoConnectionString_SaysSoWithoutRepeatingIt()
    {
        var error = Assert.Throws<FormatException>(() => new ApplicationInsightsTelemetry("somewhere;c2VjcmV0", Account));
        Assert.DoesNotContain("c2VjcmV0", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Leg_EndpointIsGone_DoesNotFail()
    {
        await _ingestion.DisposeAsync();

        await RecordAsync(meter =>
        {
            Operation(meter, Created, milliseconds: 150, partition: 0);
            return Task.CompletedTask;
        });

        Assert.Empty(_ingestion.Records);
    }

    [Fact]
    public void OperationIds_OfARun_AreValidInTraceContextAndDifferFromOtherRuns()
    {
        Assert.Matches("^[0-9a-f]{32}$", RunOperation.IdOf("nightly"));
        Assert.Matches("^[0-9a-f]{16}$", RunOperation.RequestIdOf("nightly"));
        Assert.Equal(RunOperation.IdOf("nightly"), RunOperation.IdOf("nightly"));
        Assert.NotEqual(RunOperation.IdOf("nightly"), RunOperation.IdOf("nightly-2"));
    }

    private static void AssertOfTheRun(TelemetryRecord record)
    {
        Assert.Equal(RunOperation.IdOf("test"), record.Tag("ai.operation.id"));
        Assert.Equal(RunOperation.RequestIdOf("test"), record.Tag("ai.operation.parentId"));
        Assert.Equal(ApplicationInsightsNames.Role, record.Tag("ai.cloud.role"));
    }

    private List<TelemetryRecord> Named(string name) => [.. _ingestion.Records.Where(record => record.Field("name") == name)];

    /// <summary>Counts an operation that has just ended.</summary>
    private static void Operation(LegMeter meter, AttemptResponse response, double milliseconds, int partition)
    {
        var endedAt = meter.Clock.Now;
        var startedAt = endedAt - (long)(milliseconds / 1000 * Stopwatch.Frequency);
        meter.BeginOperation();
        meter.Attempt(response, startedAt, endedAt, partition);
        if (response.Kind != AttemptKind.Succeeded)
            return;
        meter.Finished(new Counts { Inserted = 1 }, endedAt, partition);
        meter.Operation(startedAt, endedAt);
    }

    private async Task RecordAsync(Func<LegMeter, Task> work, TimeSpan? interval = null, string? runInstanceId = null)
    {
        var meter = new LegMeter(_clock, _partitions, TimeSpan.FromMinutes(1));
        var assignment = Script.Assignment(new NumberRange(0, 10)) with { RunInstanceId = runInstanceId };
        var leg = new LegInput { Assignment = assignment, Leg = 3, Next = 0 };
        await using var telemetry = new ApplicationInsightsTelemetry(_ingestion.ConnectionString, Account) { Interval = interval };
        await using var recording = telemetry.Begin(new LegScope { Leg = leg, Clock = _clock, Meter = meter, Files = _files });
        await work(meter);
    }
}
