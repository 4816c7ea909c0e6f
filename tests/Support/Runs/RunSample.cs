namespace ScaleOut.Tests.Support.Runs;

/// <summary>A made-up run whose legs look like those of a real one; every figure follows from the settings and the seed.</summary>
public sealed record RunSample
{
    public static readonly DateTimeOffset Start = new(2026, 11, 21, 17, 0, 0, TimeSpan.Zero);

    public RunSpec Spec { get; init; } = new() { Id = "sample", Name = "A million inserts" };
    public int Partitions { get; init; } = 10;
    public int Seconds { get; init; } = 180;
    public double RequestUnitsPerInsert { get; init; } = 5.71;
    public double Cpu { get; init; } = 0.4;
    public double MachineCpu { get; init; } = 0.7;
    public long VerifiedShortBy { get; init; }
    public bool Simulated { get; init; } = true;

    /// <summary>Share of each second's attempts that are throttled.</summary>
    public double ThrottledShare { get; init; }

    /// <summary>Share of the documents that go to partition 0; null for an even spread.</summary>
    public double? HotShare { get; init; }

    public RunReport Build() => RunReportBuilder.Build(Ending(), AllLegs());

    public RunEnding Ending()
    {
        var slices = Slices.Cut(Spec.Documents, Spec.Workers, 1);
        return new RunEnding
        {
            Spec = Simulated ? Spec with { Simulation = Spec.Simulation ?? new SimulationSpec() } : Spec,
            StartedAt = Start.AddSeconds(-6),
            FinishedAt = Start.AddSeconds(Seconds + 1),
            Container = new PreparedContainer
            {
                Target = new ContainerTarget("scaleout", Spec.Container.NameFor(Spec.Id!), "/PartitionKey"), Created = true,
                Simulated = Simulated, CountBefore = 0, BudgetPerSecond = Spec.Container.Throughput,
            },
            Workers = [.. slices.Select((slice, worker) => new WorkerOutcome
            {
                Worker = worker, End = WorkerState.Done, Counts = new() { Inserted = slice.Count }, Remaining = 0,
            })],
            Verification = new Verification(Spec.Documents - VerifiedShortBy),
        };
    }

    /// <summary>Keeps the common start, the attempts and the results of the legs.</summary>
    public async Task WriteLegsAsync(RunFiles files)
    {
        var runLegs = AllLegs();
        await files.SetStartAsync(runLegs.Start!, CancellationToken.None);
        foreach (var leg in runLegs.Results)
        {
            await files.ClaimAttemptAsync(leg.Output.Worker, leg.Output.Leg, "a", CancellationToken.None);
            await files.CreateResultIfAbsentAsync(leg, CancellationToken.None);
        }
    }

    public RunLegs AllLegs()
    {
        var random = new Random(Spec.Seed);
        var legs = Slices.Cut(Spec.Documents, Spec.Workers, 1).SelectMany((slice, worker) => Legs(worker, slice, random));
        return new RunLegs([.. legs], LostLegs: 0) { Start = new StartInstant(Start, Spec.Workers) };
    }

    private IEnumerable<LegResult> Legs(int worker, NumberRange slice, Random random)
    {
        var perLeg = (int)Spec.LegDuration.TotalSeconds;
        var legs = (Seconds + perLeg - 1) / perLeg;
        for (var leg = 0; leg < legs; leg++)
        {
            var first = slice.First + (slice.Count * leg * perLeg / Seconds);
            var end = slice.First + (slice.Count * Math.Min((leg + 1) * perLeg, Seconds) / Seconds);
            yield return Leg(
                worker, leg, slice, NumberRange.Between(first, end), Math.Min(perLeg, Seconds - (leg * perLeg)), leg == legs - 1, random);
        }
    }

    private LegResult Leg(int worker, int leg, NumberRange slice, NumberRange done, int seconds, bool last, Random random)
    {
        var start = Start.AddSeconds(leg * Spec.LegDuration.TotalSeconds);
        var weights = Enumerable.Range(0, seconds)
            .Select(i => (leg == 0 ? Math.Min(1, 0.45 + (0.08 * i)) : 1) * (0.94 + (0.12 * random.NextDouble()))).ToList();
        var inserted = Share(done.Count, weights);
        var throttled = inserted.Select(count =>
            (long)(count * ThrottledShare / (1 - ThrottledShare) * (0.7 + (0.6 * random.NextDouble())))).ToList();
        var firstSecond = start.ToUnixTimeSeconds();
        var (operation, attempt) = Latencies(random, (int)Math.Min(3_000, done.Count));
        return new LegResult
        {
            Output = new LegOutput
            {
                Worker = worker, Leg = leg + 1, End = last ? LegEnd.SliceDone : LegEnd.TimeUp,
                Counts = CountsOf(done.Count, throttled.Sum()), Next = done.End,
            },
            Range = new LegRange(slice, done.First, []),
            Attempt = 1,
            StartedAt = start.AddMilliseconds(2 + worker),
            EndedAt = start.AddSeconds(seconds).AddMilliseconds(worker % 7 * 40),
            OpeningRequestUnits = RequestUnits.From(4),
            AttemptLatency = attempt,
            OperationLatency = operation,
            Seconds = [.. Enumerable.Range(0, seconds).Select(i => new SecondSample
            {
                Second = firstSecond + i, Counts = CountsOf(inserted[i], throttled[i]), CpuSeconds = Cpu * 2, InFlight = 20,
                MachineCpuShare = MachineCpu,
            })],
            Partitions = [.. PartitionsOf(inserted, throttled, firstSecond, random)],
            Machine = new MachineReport
            {
                InstanceId = "dev-box", ProcessId = 4_000 + worker, Cores = 2, MemoryBytes = 24L << 30, PeakWorkingSetBytes = 180L << 20,
                CpuShare = Cpu, CpuSeconds = Cpu * 2 * seconds, Collections = [12, 3, 1], GcPauseMs = 41, ThreadPoolQueueMax = 17,
                RoundTripMs = [0.11, 0.12, 0.14, 0.2],
            },
            StartLatenessMs = leg == 0 ? 2 + worker : null,
        };
    }

    private IEnumerable<PartitionSample> PartitionsOf(List<long> inserted, List<long> throttled, long firstSecond, Random random)
    {
        var hot = HotShare ?? 1.0 / Partitions;
        for (var partition = 0; partition < Partitions; partition++)
        {
            var share = partition == 0 ? hot : (1 - hot) / Math.Max(1, Partitions - 1);
            yield return new PartitionSample
            {
                Min = partition == 0 ? "" : Edge(partition),
                Max = partition == Partitions - 1 ? "FF" : Edge(partition + 1),
                Counts = new()
                {
                    Inserted = (long)(inserted.Sum() * share),
                    Throttled = partition == 0 || HotShare is null ? (long)(throttled.Sum() * share) : 0,
                    RequestUnits = RequestUnits.From(inserted.Sum() * share * RequestUnitsPerInsert),
                },
                FirstSecond = firstSecond,
                RequestUnitsPerSecond =
                    [.. inserted.Select(count => count * share * RequestUnitsPerInsert * (0.96 + (0.08 * random.NextDouble())))],
            };
        }
    }

    private Counts CountsOf(long inserted, long throttled) => new()
    {
        Inserted = inserted, Attempts = inserted + throttled, Throttled = throttled,
        RequestUnits = RequestUnits.From(inserted * RequestUnitsPerInsert),
    };

    private string Edge(int partition) => ((long)((1L << 30) * (partition / (double)Partitions))).ToString("X8");

    private static List<long> Share(long count, List<double> weights)
    {
        var (sum, seen, given) = (weights.Sum(), 0.0, 0L);
        var shares = new List<long>();
        foreach (var weight in weights)
        {
            seen += weight;
            shares.Add((long)Math.Round(count * seen / sum) - given);
            given += shares[^1];
        }

        return shares;
    }

    private (LatencyHistogram Operation, LatencyHistogram Attempt) Latencies(Random random, int count)
    {
        var (operation, attempt) = (new LatencyHistogram(), new LatencyHistogram());
        for (var i = 0; i < count; i++)
        {
            var service = TimeSpan.FromMilliseconds(3.3 + (4 * Math.Exp(0.35 * Normal(random))));
            attempt.Record(service);
            operation.Record(random.NextDouble() < ThrottledShare ? service * (1 + (40 * random.NextDouble())) : service);
        }

        return (operation, attempt);
    }

    /// <summary>A value of the standard normal distribution.</summary>
    internal static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
