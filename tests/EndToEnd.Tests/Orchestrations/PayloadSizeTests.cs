namespace ScaleOut.Tests.EndToEnd.Orchestrations;

/// <summary>What goes through a durable engine stays small, so that 1,000 workers fit its limits.</summary>
public sealed class PayloadSizeTests
{
    private const int Limit = 2_048;
    private const int InputLimit = 2_560;
    private const int EngineLimit = 1 << 20;
    private const long Largest = 1_000_000_000;

    private static readonly Counts MaxCounts = new()
    {
        Inserted = Largest, AlreadyPresent = Largest, Failed = Largest, Attempts = Largest, Throttled = Largest, Errors = Largest,
        RequestUnits = RequestUnits.From(Largest + 0.123456), Bytes = 1_000 * Largest,
    };

    [Theory]
    [InlineData('x')]
    [InlineData('"')]
    [InlineData('\u4e2d')]
    [InlineData('\u0001')]
    [InlineData('\u2028')]
    [InlineData('\ud83d')]
    public void LegOutput_LongestReason_FitsTwoKilobytes(char c)
    {
        var output = new LegOutput
        {
            Worker = 999, Leg = 999_999, End = LegEnd.AccountSilent, Counts = MaxCounts, Next = Largest,
            Reason = LegOutput.Shorten(new string(c, 10_000)),
        };

        Assert.InRange(Size(output), 400, Limit);
    }

    [Fact]
    public void LegInput_LongestNames_FitsTwoAndAHalfKilobytes()
    {
        var assignment = new WorkerAssignment
        {
            RunId = new string('r', 40), Worker = 999, Workers = 1_000, Slice = new NumberRange(Largest, Largest),
            Workload = new() { Kind = WorkloadKind.Batch, BatchSize = 100 }, Document = new(),
            Client = new()
            {
                ConnectionMode = ConnectionMode.Gateway, Concurrency = 100_000, Consistency = ConsistencyLevel.BoundedStaleness,
                MaxConnections = 65_535, MaxRequestsPerConnection = 1_000, IdleConnectionTimeout = TimeSpan.FromMinutes(1_439),
                RequestTimeout = TimeSpan.FromSeconds(10), Priority = RequestPriority.High, ThroughputBucket = 5,
                PreferredRegion = new string('r', 30), Rate = 123_456.789,
            },
            Container = new(new string('d', 255), new string('c', 255), "/" + new string('p', 254)),
            LegDuration = TimeSpan.FromMinutes(20), StartTimeout = TimeSpan.FromMinutes(30),
        };

        Assert.InRange(Size(assignment), 800, InputLimit);
        Assert.InRange(Size(new LegInput { Assignment = assignment, Leg = 999_999, Next = Largest }), 800, InputLimit);
        var worker = new LegInput { Assignment = assignment, Leg = 999_999, Next = Largest, Before = new(MaxCounts, 1e9) };
        Assert.InRange(Size(worker), 800, InputLimit);
    }

    /// <summary>Before version 1.2, each leg had the spec. The limit is a quarter of an engine's.</summary>
    [Theory]
    [InlineData("1.1", 100_000, EngineLimit / 4)]
    [InlineData(OrchestrationVersions.Current, 800, InputLimit)]
    public async Task LegInput_LargestSpec_FitsTheEngine(string version, int least, int most)
    {
        var values = new string('\u4e2d', 480);
        var spec = new RunSpec
        {
            Id = "r", Documents = 1_000_000,
            Workload = new()
            {
                Kind = WorkloadKind.Query,
                Query = new()
                {
                    Text = new string('\u4e2d', 4_000),
                    Parameters = [.. Enumerable.Range(0, 20).Select(
                        i => new QueryParameterSpec { Name = $"@{new string('p', 90)}{i}", Value = $"\"{values}\"" })],
                },
                Steps = [.. Enumerable.Range(0, 100).Select(
                    _ => new StepSpec { Users = 100_000, Duration = TimeSpan.FromSeconds(86_398.1234567) })],
            },
            Document = new()
            {
                Kind = DocumentKind.Csv, Csv = new string('\u4e2d', 1_000), KeyColumn = "id",
                Columns = [.. Enumerable.Range(0, 250).Select(i => $"{new string('\u4e2d', 120)}{i}")],
            },
        };
        Assert.Empty(RunSpecReader.Check(spec).Errors);
        var run = new ScriptedRun(leg => ScriptedLeg.Insert(leg, leg.Leg == 1 ? 1 : long.MaxValue)) { Version = version };

        await run.RunAsync(spec);

        Assert.Equal(2 * spec.Workers, run.Legs.Count);
        Assert.All(run.Legs, leg => Assert.InRange(Size(leg), least, most));
    }

    [Fact]
    public void RunEnding_ThousandFailedWorkers_FitsTheEngine()
    {
        var failed = new WorkerOutcome
        {
            Worker = 999, End = WorkerState.Failed, Counts = MaxCounts, Remaining = Largest,
            Reason = LegOutput.Shorten(new string('x', 1_000)),
        };
        var ending = new RunEnding
        {
            Spec = new RunSpec { Id = "test", Workers = 1_000 }, StartedAt = DateTimeOffset.UnixEpoch,
            FinishedAt = DateTimeOffset.UnixEpoch, Workers = [.. Enumerable.Repeat(failed, 1_000)],
        };

        Assert.InRange(Size(ending), 400_000, EngineLimit);
    }

    [Fact]
    public void LegInput_ThroughJson_ComesBackTheSame()
    {
        var input = new LegInput { Assignment = Script.Assignment(new NumberRange(5, 7)), Leg = 3, Next = 6 };
        Assert.Equal(
            input, JsonSerializer.Deserialize<LegInput>(JsonSerializer.Serialize(input, ScaleOutJson.Compact), ScaleOutJson.Compact));
    }

    private static int Size<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, ScaleOutJson.Compact).Length;
}
