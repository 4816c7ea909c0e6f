namespace ScaleOut.Workers.Measuring;

/// <summary>Measures what the worker's process uses of its machine since the probe was created.</summary>
public sealed class MachineProbe
{
    private readonly long _startedAt = TimeProvider.System.GetTimestamp();
    private readonly TimeSpan _cpuAtStart = Environment.CpuUsage.TotalTime;
    private readonly TimeSpan _pauseAtStart = GC.GetTotalPauseDuration();
    private readonly int[] _collectionsAtStart = Collections();
    private readonly AccountConnections? _connections;
    private long _threadPoolQueueMax;

    /// <param name="connections">Those to the account; null while there is no client.</param>
    internal MachineProbe(AccountConnections? connections = null) => _connections = connections;

    /// <summary>
    /// Variables that identify a function instance; the first that is set counts. A plan with fixed machines sets the first one, Flex
    /// Consumption one of the others. All instances of Flex Consumption may have the same machine name.
    /// </summary>
    private static readonly string[] InstanceVariables = ["WEBSITE_INSTANCE_ID", "WEBSITE_POD_NAME", "CONTAINER_NAME"];

    /// <summary>Same for all processes of one machine or function instance.</summary>
    public static string InstanceId { get; } = InstanceIdIn(Environment.GetEnvironmentVariable);

    /// <summary>The instance that an environment names, or else the machine's name.</summary>
    /// <param name="get">Value of an environment variable; null or empty where it is not set.</param>
    internal static string InstanceIdIn(Func<string, string?> get) =>
        InstanceVariables.Select(get).FirstOrDefault(value => !string.IsNullOrEmpty(value)) ?? Environment.MachineName;

    /// <summary>Samples what is visible only while the leg works.</summary>
    public void Sample()
    {
        _threadPoolQueueMax = Math.Max(_threadPoolQueueMax, ThreadPool.PendingWorkItemCount);
        _connections?.Sample();
    }

    public MachineReport Report(IReadOnlyList<double> roundTripMs)
    {
        var cpu = Environment.CpuUsage.TotalTime - _cpuAtStart;
        var wall = TimeProvider.System.GetElapsedTime(_startedAt);
        using var process = Process.GetCurrentProcess();
        _connections?.Count();
        return new MachineReport
        {
            InstanceId = InstanceId,
            ProcessId = Environment.ProcessId,
            Cores = Environment.ProcessorCount,
            MachineCores = MachineCpu.Cores,
            MemoryBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            PeakWorkingSetBytes = process.PeakWorkingSet64,
            Software = SoftwareNames.Here,
            CpuShare = wall > TimeSpan.Zero ? cpu / wall / Environment.ProcessorCount : 0,
            CpuSeconds = cpu.TotalSeconds,
            Collections = [.. Collections().Zip(_collectionsAtStart, (now, then) => now - then)],
            GcPauseMs = (GC.GetTotalPauseDuration() - _pauseAtStart).TotalMilliseconds,
            ThreadPoolQueueMax = _threadPoolQueueMax,
            RoundTripMs = roundTripMs,
            Connections = _connections?.Most,
        };
    }

    private static int[] Collections() => [.. Enumerable.Range(0, GC.MaxGeneration + 1).Select(GC.CollectionCount)];
}

/// <summary>Busy share of all cores of the machine since the last reading, from <c>/proc/stat</c>; null elsewhere than on Linux.</summary>
internal sealed class MachineCpu
{
    private const string StatPath = "/proc/stat";
    private const int IdleColumn = 3;
    private const int WaitColumn = 4;
    private const int Columns = 8;

    private (long Busy, long All)? _last = Read();

    /// <summary>Cores of the machine; null if it does not report them.</summary>
    public static int? Cores { get; } = CountCores();

    /// <summary>0 to 1; null if the machine does not report it.</summary>
    public double? NextShare()
    {
        var now = Read();
        var last = _last;
        _last = now;
        return now is { } to && last is { } from && to.All > from.All ? (double)(to.Busy - from.Busy) / (to.All - from.All) : null;
    }

    private static int? CountCores()
    {
        try
        {
            var cores = File.ReadLines(StatPath).Count(line => line.StartsWith("cpu", StringComparison.Ordinal) && line[3] != ' ');
            return cores > 0 ? cores : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Only Linux has the file; elsewhere the figure is left out.
            return null;
        }
    }

    private static (long Busy, long All)? Read()
    {
        try
        {
            using var stat = new StreamReader(StatPath);
            var columns = stat.ReadLine()?.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(Columns)
                .Select(column => long.Parse(column, CultureInfo.InvariantCulture)).ToArray();
            return columns is { Length: Columns } ? (columns.Sum() - columns[IdleColumn] - columns[WaitColumn], columns.Sum()) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            // Only Linux has the file; elsewhere the figure is left out.
            return null;
        }
    }
}
