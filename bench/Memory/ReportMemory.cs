using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Slicing;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Bench.Memory;

/// <summary>
/// Measures the peak memory of a process that makes the report of a large run: 358 workers on 1,009 partitions for 1,000 s, a million
/// documents a second, as docs/scale.md recommends. The results of its legs are made by a generator and kept in files, so that only their
/// reading and the report are measured. The Function App that does the same has 2 GB.
/// </summary>
public static class ReportMemory
{
    /// <summary>First argument of the process that makes the report.</summary>
    public const string Role = "memory-report";

    private const string RunId = "large";
    private const int Workers = 358;
    private const int Partitions = 1_009;
    private const int Seconds = 1_000;
    private const int PerWorkerAndSecond = 2_793;
    private const double RequestUnitsPerDocument = 5.71;
    private const double LimitMiB = 300;
    private const int PartitionDigits = 8;

    private static readonly DateTimeOffset Start = new(2026, 11, 27, 12, 0, 0, TimeSpan.Zero);

    /// <summary>Whether the peak is within the limit.</summary>
    public static async Task<bool> RunAsync()
    {
        var folder = Directory.CreateTempSubdirectory("scaleout-memory-").FullName;
        try
        {
            var bytes = await GenerateAsync(folder);
            var start = new ProcessStartInfo(Environment.ProcessPath!, [Role, folder]) { RedirectStandardOutput = true };
            using var process = Process.Start(start)!;
            var peak = double.Parse(await process.StandardOutput.ReadToEndAsync(), CultureInfo.InvariantCulture) / (1 << 20);
            await process.WaitForExitAsync();
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"report of {Workers} workers x {Partitions:N0} partitions x {Seconds:N0} s: leg files {bytes >> 20:N0} MiB, "
                + $"peak {peak:N0} MiB, at most {LimitMiB:N0} MiB"));
            return peak <= LimitMiB;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Makes the report, and writes the process's peak memory, in bytes.</summary>
    public static async Task ReportAsync(string folder)
    {
        var store = new FolderRunStore(folder);
        var ending = await new RunFiles(store, RunId).ReadEndingAsync(CancellationToken.None)
            ?? throw new InvalidOperationException($"There is no run in {folder}.");
        await ReportSaver.SaveAsync(store, ending, CancellationToken.None);
        using var own = Process.GetCurrentProcess();
        Console.WriteLine(own.PeakWorkingSet64.ToString(CultureInfo.InvariantCulture));
    }

    private static async Task<long> GenerateAsync(string folder)
    {
        const long perWorker = (long)PerWorkerAndSecond * Seconds;
        var files = new RunFiles(new FolderRunStore(folder), RunId);
        var spec = new RunSpec
        {
            Id = RunId, Documents = perWorker * Workers, Workers = Workers, LegDuration = TimeSpan.FromSeconds(RunSpec.MaxLegSeconds),
            Container = new ContainerSpec { Throughput = 6_052_700 },
        };
        await files.TryClaimAsync(spec, CancellationToken.None);
        await files.SetStartAsync(new StartInstant(Start, Workers), CancellationToken.None);
        await files.CreateEndingIfAbsentAsync(
            new RunEnding
            {
                Spec = spec,
                StartedAt = Start.AddSeconds(-10),
                FinishedAt = Start.AddSeconds(Seconds + 1),
                Container = new PreparedContainer
                {
                    Target = new ContainerTarget("scaleout", "run-large", "/id"), Created = true, Simulated = false, CountBefore = 0,
                    BudgetPerSecond = spec.Container.Throughput,
                },
                Workers =
                [
                    .. Enumerable.Range(0, Workers).Select(worker => new WorkerOutcome
                    {
                        Worker = worker, End = WorkerState.Done, Counts = new() { Inserted = perWorker }, Remaining = 0,
                    }),
                ],
                Verification = new Verification(spec.Documents),
            },
            CancellationToken.None);

        for (var worker = 0; worker < Workers; worker++)
        {
            await files.ClaimAttemptAsync(worker, leg: 1, "generator", CancellationToken.None);
            await files.CreateResultIfAbsentAsync(Leg(worker, new NumberRange(worker * perWorker, perWorker)), CancellationToken.None);
        }

        return new DirectoryInfo(folder).EnumerateFiles("result.json", SearchOption.AllDirectories).Sum(file => file.Length);
    }

    private static LegResult Leg(int worker, NumberRange slice)
    {
        var random = new Random(worker);
        var first = Start.ToUnixTimeSeconds();
        var perSecond = new Counts
        {
            Inserted = PerWorkerAndSecond, Attempts = PerWorkerAndSecond, Bytes = PerWorkerAndSecond * 1_000L,
            RequestUnits = RequestUnits.From(PerWorkerAndSecond * RequestUnitsPerDocument),
        };
        var (all, ofSecond) = (new LatencyHistogram(), LatencyHistogram.Coarse());
        for (var operation = 0; operation < PerWorkerAndSecond; operation++)
        {
            var latency = TimeSpan.FromMilliseconds(4 + (8 * random.NextDouble() * random.NextDouble()));
            all.Record(latency);
            ofSecond.Record(latency);
        }

        return new LegResult
        {
            Output = new LegOutput
            {
                Worker = worker, Leg = 1, End = LegEnd.SliceDone, Next = slice.End, Seconds = Seconds,
                Counts = new()
                {
                    Inserted = slice.Count, Attempts = slice.Count, Bytes = slice.Count * 1_000,
                    RequestUnits = RequestUnits.From(slice.Count * RequestUnitsPerDocument),
                },
            },
            Range = new LegRange(slice, slice.First, []),
            Attempt = 1,
            StartedAt = Start.AddMilliseconds(worker % 10),
            EndedAt = Start.AddSeconds(Seconds).AddMilliseconds(worker % 10),
            AttemptLatency = all,
            OperationLatency = all,
            Operations = slice.Count,
            Seconds =
            [
                .. Enumerable.Range(0, Seconds).Select(second => new SecondSample
                {
                    Second = first + second, Counts = perSecond, CpuSeconds = 0.7, InFlight = 40, MachineCpuShare = 0.7,
                    Latency = PackedHistogram.From(ofSecond),
                }),
            ],
            Partitions = [.. Enumerable.Range(0, Partitions).Select(partition => PartitionOf(partition, first, random))],
            Machine = new MachineReport
            {
                InstanceId = $"instance-{worker}", ProcessId = 1, Cores = 1, MemoryBytes = 2L << 30, PeakWorkingSetBytes = 400L << 20,
                CpuShare = 0.7, CpuSeconds = 0.7 * Seconds,
            },
            StartLatenessMs = worker % 10,
        };
    }

    /// <summary>Documents of a second come to a partition independently of each other: a binomial number of them.</summary>
    private static PartitionSample PartitionOf(int partition, long first, Random random)
    {
        const int mean = PerWorkerAndSecond / Partitions;
        var charged = new double[Seconds];
        var documents = 0L;
        for (var second = 0; second < Seconds; second++)
        {
            var inSecond = Enumerable.Range(0, 2 * mean).Count(_ => random.Next(2) == 0) + random.Next(2);
            charged[second] = Math.Round(inSecond * RequestUnitsPerDocument, 2);
            documents += inSecond;
        }

        return new PartitionSample
        {
            Min = partition == 0 ? "" : Edge(partition), Max = partition == Partitions - 1 ? "FF" : Edge(partition + 1),
            Counts = new()
            {
                Inserted = documents, Attempts = documents, RequestUnits = RequestUnits.From(documents * RequestUnitsPerDocument),
            },
            FirstSecond = first, RequestUnitsPerSecond = charged,
        };
    }

    private static string Edge(int partition) =>
        ((long)partition * (1L << 30) / Partitions).ToString($"X{PartitionDigits}", CultureInfo.InvariantCulture).PadRight(32, '0');
}
