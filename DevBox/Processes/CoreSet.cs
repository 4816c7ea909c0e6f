namespace ScaleOut.DevBox.Processes;

/// <summary>
/// The processor cores that a worker process is bound to. On Linux a process inherits the cores of the thread that starts it, so that even
/// its first thread is bound; on Windows they are set as soon as it runs. Elsewhere nothing is bound.
/// </summary>
internal static partial class CoreSet
{
    private const int MaxCpus = 1_024;
    private const int BitsPerByte = 8;

    /// <summary>Whether processes can be bound here.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux() || OperatingSystem.IsWindows();

    /// <summary>The cores that this process may use, ascending.</summary>
    public static IReadOnlyList<int> Allowed()
    {
        if (!OperatingSystem.IsLinux())
            return [.. Enumerable.Range(0, Environment.ProcessorCount)];
        var mask = new byte[MaxCpus / BitsPerByte];
        return GetAffinity(0, (nuint)mask.Length, mask) < 0
            ? [.. Enumerable.Range(0, Environment.ProcessorCount)]
            : [.. Enumerable.Range(0, MaxCpus).Where(cpu => (mask[cpu / BitsPerByte] & (1 << (cpu % BitsPerByte))) != 0)];
    }

    /// <summary>
    /// The cores of one worker. They follow those of the workers before it, and begin again with the first core if there are no more.
    /// </summary>
    /// <param name="coresOf">Cores that each worker asks for, in their order; null for one that is not bound.</param>
    public static IReadOnlyList<int>? From(IReadOnlyList<int?> coresOf, int worker, IReadOnlyList<int> allowed)
    {
        if (coresOf[worker] is not { } cores)
            return null;
        var first = coresOf.Take(worker).Sum(count => count ?? 0);
        return [.. Enumerable.Range(first, Math.Min(cores, allowed.Count)).Select(index => allowed[index % allowed.Count]).Order()];
    }

    /// <summary>
    /// Runs something on a thread of its own that is bound to some cores, so that processes that it starts are bound too.
    /// </summary>
    /// <exception cref="InvalidOperationException">The process may not use these cores.</exception>
    public static T RunBound<T>(IReadOnlyList<int> cpus, Func<T> run)
    {
        if (!OperatingSystem.IsLinux())
            return run();
        T result = default!;
        Exception? error = null;
        var thread = new Thread(() =>
        {
            try
            {
                var mask = new byte[MaxCpus / BitsPerByte];
                foreach (var cpu in cpus)
                    mask[cpu / BitsPerByte] |= (byte)(1 << (cpu % BitsPerByte));
                if (SetAffinity(0, (nuint)mask.Length, mask) != 0)
                    throw new InvalidOperationException(
                        $"The cores {string.Join(", ", cpus)} cannot be assigned (error {Marshal.GetLastPInvokeError()}).");
                result = run();
            }
            catch (Exception e)
            {
                error = e;
            }
        })
        { IsBackground = true, Name = "bound start" };
        thread.Start();
        thread.Join();
        return error is null ? result : throw error;
    }

    /// <summary>A mask of cores for <see cref="System.Diagnostics.Process.ProcessorAffinity"/>.</summary>
    public static nint MaskOf(IEnumerable<int> cpus) =>
        cpus.Where(cpu => cpu < nint.Size * BitsPerByte).Aggregate((nint)0, (mask, cpu) => mask | ((nint)1 << cpu));

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nuint length, byte[] mask);

    [LibraryImport("libc", EntryPoint = "sched_getaffinity", SetLastError = true)]
    private static partial int GetAffinity(int thread, nuint length, byte[] mask);
}
