namespace ScaleOut.DevBox.Machine;

/// <summary>
/// Files and sockets that a run's processes have open at most, from its spec alone. The constants were measured in <c>/proc/[pid]/fd</c>
/// for each kind of process, and rounded up. The SDK's connections are those of <see cref="ClientConnections"/>.
/// </summary>
/// <param name="Process">The process that needs the most, such as <c>the simulated account</c>.</param>
internal sealed record OpenFileNeed(string Process, long Files)
{
    /// <summary>The runtime, its assemblies and the standard streams of a process. The measured numbers were 153 to 177 files.</summary>
    private const int OfRuntime = 190;

    /// <summary>Pipes and log of a worker, in the program that started it.</summary>
    private const int OfWorkerInProgram = 4;

    public static OpenFileNeed From(RunSpec spec, RunTarget target)
    {
        var simulated = target != RunTarget.OtherAccount;
        var settings = Enumerable.Range(0, spec.Workers).Select(spec.SettingsOf).ToList();
        var sets = ReplicaSets(spec, simulated);
        var connections = settings.Select(
            worker => ClientConnections.Max(spec, worker, sets) + (Preloads(spec) ? RunEstimate.DefaultGatewayConnections : 0)).ToList();
        var program = new OpenFileNeed(
            "this program",
            OfRuntime + RunEstimate.DefaultGatewayConnections + ClientConnections.ForMetadata + (long)OfWorkerInProgram * spec.Workers);
        var worker = new OpenFileNeed("a worker", OfRuntime + connections.Max());
        if (!simulated)
            return Larger(program, worker);

        var ports = settings.Exists(worker => worker.ConnectionMode == ConnectionMode.Direct) ? sets + 1 : 0;
        var account = new OpenFileNeed(
            "the simulated account",
            OfRuntime + ports + RunEstimate.DefaultGatewayConnections + ClientConnections.ForMetadata + connections.Sum());
        return Larger(Larger(program, worker), account);
    }

    private static bool Preloads(RunSpec spec) => spec.Workload.NeedsDocuments && spec.Container.Name is null;

    /// <summary>
    /// Count of addresses that a Direct client keeps connections to. It is an estimate for a real account, and a guess for a named
    /// container.
    /// </summary>
    private static int ReplicaSets(RunSpec spec, bool simulated)
    {
        var partitions = (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container);
        return simulated ? Math.Min(SimulatedAccount.MaxDirectPorts, partitions) : ClientConnections.Replicas * partitions;
    }

    private static OpenFileNeed Larger(OpenFileNeed one, OpenFileNeed other) => one.Files >= other.Files ? one : other;
}

/// <summary>
/// How many files and sockets a process may have open (<c>ulimit -n</c>). The runtime raises the soft limit to the hard one when it starts,
/// so this is the most that there can be. Child processes have the same limit.
/// </summary>
internal static partial class OpenFileLimit
{
    /// <summary>
    /// Open files that every command needs, because the runtime keeps each assembly of the program open. Commands that run something need
    /// more (<see cref="OpenFileNeed"/>).
    /// </summary>
    private const int MinFiles = 128;

    /// <summary>
    /// Returns true, and reports it, if the program cannot run at all. It is called first and uses only the core library, because there may
    /// be no open file left for the assembly of the console.
    /// </summary>
    public static bool RejectsStart()
    {
        if (Read() is not { } limit || limit >= MinFiles)
            return false;
        RawStandardError.WriteLine($"error: {Describe("this program", MinFiles, limit)}.");
        return true;
    }

    /// <summary>The limit; null if there is none or it cannot be read.</summary>
    public static long? Read()
    {
        if (OperatingSystem.IsWindows() || ReadLimit(OperatingSystem.IsMacOS() ? 8 : 7, out var limit) != 0)
            return null;
        return limit.Current is > 0 and <= long.MaxValue ? (long)limit.Current : null;
    }

    /// <summary>The error and its remedy, as ASCII text.</summary>
    public static string Describe(string what, long needed, long limit) =>
        $"{what} needs about {needed} open files and sockets in one process, and the limit here is {limit}; "
        + $"raise it with 'ulimit -n {Suggested(needed)}' (or in /etc/security/limits.conf, or --ulimit nofile of a container)";

    private static ulong Suggested(long needed) => System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)Math.Max(needed, 1_024));

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int ReadLimit(int resource, out Limit limit);

    private struct Limit
    {
        public ulong Current;
        public ulong Most;
    }
}
