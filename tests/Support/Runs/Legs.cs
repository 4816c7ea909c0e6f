namespace ScaleOut.Tests.Support.Runs;

/// <summary>Results of legs, with only the fields that a test sets.</summary>
internal static class Legs
{
    public static readonly DateTimeOffset Zero = DateTimeOffset.FromUnixTimeSeconds(1_000);

    /// <summary>A leg of a worker from one time to another (seconds after <see cref="Zero"/>) on a machine with two cores.</summary>
    public static LegResult Leg(int worker = 0, int leg = 1, double from = 0, double to = 10, long inserted = 0, long alreadyPresent = 0,
        long failed = 0, LegEnd end = LegEnd.SliceDone, string instance = "a") => new()
        {
            Output = new()
            {
                Worker = worker, Leg = leg, End = end,
                Counts = new() { Inserted = inserted, AlreadyPresent = alreadyPresent, Failed = failed },
                Next = inserted + alreadyPresent + failed,
            },
            Range = new(new NumberRange(0, inserted + alreadyPresent + failed), 0, []), Attempt = 1, StartedAt = Zero.AddSeconds(from),
            EndedAt = Zero.AddSeconds(to), AttemptLatency = new LatencyHistogram(), OperationLatency = new LatencyHistogram(),
            Machine = new() { InstanceId = instance, ProcessId = 1, Cores = 2, MemoryBytes = 1 << 30 },
        };

    /// <summary>How a leg ended, and the counts of its documents.</summary>
    public static (LegEnd End, long Inserted, long AlreadyPresent, long Failed) Ended(this LegOutput output) =>
        (output.End, output.Counts.Inserted, output.Counts.AlreadyPresent, output.Counts.Failed);

    public static LegResult With(this LegResult leg, Func<Counts, Counts> change) =>
        leg with { Output = leg.Output with { Counts = change(leg.Output.Counts) } };

    public static LegResult Charged(this LegResult leg, double requestUnits, double ofThrottled = 0) =>
        leg.With(counts => counts with
        {
            RequestUnits = RequestUnits.From(requestUnits),
            ThrottledRequestUnits = RequestUnits.From(ofThrottled),
        });

    /// <summary>Samples for consecutive seconds after <see cref="Zero"/>, all alike.</summary>
    public static IReadOnlyList<SecondSample> Seconds(int first, int count, long inserted = 0, long throttled = 0, double requestUnits = 0,
        double cpuSeconds = 0, double? machine = null) =>
        [.. Enumerable.Range(first, count).Select(i => new SecondSample
        {
            Second = 1_000 + i, CpuSeconds = cpuSeconds, MachineCpuShare = machine,
            Counts = new() { Inserted = inserted, Throttled = throttled, RequestUnits = RequestUnits.From(requestUnits) },
        })];

    /// <summary>A range with RU per second from a second after <see cref="Zero"/> on.</summary>
    public static PartitionSample Partition(string min, string max, int first, params double[] requestUnits) => new()
    {
        Min = min, Max = max,
        Counts = new() { Inserted = requestUnits.Length, Throttled = 1, RequestUnits = RequestUnits.From(requestUnits.Sum()) },
        FirstSecond = 1_000 + first, RequestUnitsPerSecond = requestUnits,
    };
}
