namespace ScaleOut.DevBox.Processes;

/// <summary>Starts this program as another process.</summary>
internal static class SelfProcess
{
    /// <summary>
    /// Runtime settings of processes that share a machine under load. Without them, spinning threads compete for the cores, and four
    /// workers on two cores have a lower throughput than one worker. The project file sets them for every start of the program. These
    /// variables override those of the user's environment.
    /// </summary>
    private static readonly IReadOnlyDictionary<string, string> RuntimeSettings = new Dictionary<string, string>
    {
        ["DOTNET_ThreadPool_UnfairSemaphoreSpinLimit"] = "0",
        ["DOTNET_TieredPGO"] = "0",
        ["DOTNET_gcServer"] = "0",
    };

    /// <summary>
    /// Below this count of operations, the code of a process is not optimized while it runs. From 30,000 operations on, optimizing saves
    /// CPU, see bench/README.md.
    /// </summary>
    private const long MinOperationsForTiering = 10_000;

    /// <summary>
    /// The runtime's setting of how long it waits, in milliseconds in hexadecimal digits, before it counts calls of code to optimize.
    /// </summary>
    internal const string CountingDelay = "DOTNET_TC_CallCountingDelayMs";

    /// <summary>How to start a process that does the operations of a run, or responds to them.</summary>
    /// <param name="operations">Most operations of the process; null if that is not known.</param>
    public static ProcessStartInfo ForLoad(long? operations, params IEnumerable<string> arguments)
    {
        var start = With(arguments);
        // Compiling the busiest code a second time takes over a second of CPU in the seconds that are measured. A process with many
        // operations does that early, as is the runtime's default, or as the user's environment says.
        if (operations < MinOperationsForTiering)
            start.Environment[CountingDelay] = "600000";
        else
            start.Environment.TryAdd(CountingDelay, "64");
        return start;
    }

    /// <summary>How to start this program with some arguments and with its three standard streams redirected.</summary>
    public static ProcessStartInfo With(params IEnumerable<string> arguments)
    {
        var (file, before) = Executable();
        var start = new ProcessStartInfo(file)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardInputEncoding = ProcessLines.Encoding,
            StandardOutputEncoding = ProcessLines.Encoding,
            StandardErrorEncoding = ProcessLines.Encoding,
        };
        foreach (var argument in before.Concat(arguments))
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in RuntimeSettings)
            start.Environment[name] = value;
        return start;
    }

    /// <summary>The program's own executable, or the <c>dotnet</c> that runs its assembly.</summary>
    private static (string File, IEnumerable<string> Before) Executable()
    {
        var assembly = typeof(SelfProcess).Assembly;
        var name = assembly.GetName().Name!;
        if (Environment.ProcessPath is { } own && Path.GetFileNameWithoutExtension(own).Equals(name, StringComparison.OrdinalIgnoreCase))
            return (own, []);

        var dll = Path.Combine(AppContext.BaseDirectory, name + ".dll");
        var host = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
            ? Environment.ProcessPath
            : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH");
        return (host ?? "dotnet", [dll]);
    }
}

/// <summary>Ends processes, and describes how they ended.</summary>
internal static class ProcessEnd
{
    private const int SignalBase = 128;

    private static readonly Dictionary<int, string> Signals = new Dictionary<int, string>
    {
        [1] = "SIGHUP",
        [2] = "SIGINT",
        [6] = "SIGABRT",
        [9] = "SIGKILL",
        [11] = "SIGSEGV",
        [15] = "SIGTERM",
    };

    /// <summary>Such as <c>exit code 137, SIGKILL</c>.</summary>
    /// <param name="lastError">
    /// What a process that never said a word wrote last to its standard error. Then its exit code is its own: a .NET host that cannot start
    /// has 137, too.
    /// </param>
    public static string Describe(Process process, string? lastError = null) =>
        !process.HasExited ? "still running"
        : lastError is { Length: > 0 } ? $"exit code {process.ExitCode}; its last line: {OneLine.From(lastError)}"
        : Signals.TryGetValue(process.ExitCode - SignalBase, out var signal) ? $"exit code {process.ExitCode}, {signal}"
        : $"exit code {process.ExitCode}";

    /// <summary>Whether a process is stopped by a signal; false where the system does not say so.</summary>
    public static bool IsFrozen(int processId)
    {
        try
        {
            // The state follows the name, which stands in parentheses.
            return OperatingSystem.IsLinux() && File.ReadAllText($"/proc/{processId}/stat").Split(") ")[^1].StartsWith('T');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The process has ended.
            return false;
        }
    }

    /// <summary>Ends a process at once. Does nothing if it has ended already.</summary>
    public static void Kill(Process process)
    {
        try
        {
            process.Kill();
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception)
        {
            // It has ended, or is about to.
        }
    }

    /// <summary>Waits for a process to end, and kills it if that takes too long.</summary>
    public static async Task WaitOrKillAsync(Process process, TimeSpan limit)
    {
        using var timeout = new CancellationTokenSource(limit);
        try
        {
            await process.WaitForExitAsync(timeout.Token);
        }
        catch (OperationCanceledException)
        {
            // The time is up.
            Kill(process);
            await process.WaitForExitAsync(CancellationToken.None);
        }
    }
}

/// <summary>Messages between processes: one JSON value a line.</summary>
internal static class ProcessLines
{
    /// <summary>UTF-8 without a byte order mark, because the mark would make the first line invalid JSON.</summary>
    public static readonly Encoding Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);

    public static string Write<T>(T message) => JsonSerializer.Serialize(message, ScaleOutJson.Compact);

    /// <summary>The message in a line; null if the line is not a message.</summary>
    public static T? Read<T>(string line)
        where T : class
    {
        try
        {
            return JsonSerializer.Deserialize<T>(line, ScaleOutJson.Compact);
        }
        catch (JsonException)
        {
            // The callers handle a line that is no message.
            return null;
        }
    }
}

/// <summary>Keeps what processes write to their standard error, and what this program logs of its runs, in files.</summary>
internal static class ProcessLog
{
    /// <summary>Lines of a file stay in the order in which they are appended.</summary>
    private static readonly Lock Order = new();

    /// <summary>Appends all lines until the process ends, and returns the last. The file is made at the first line.</summary>
    public static async Task<string?> CopyAsync(StreamReader errors, string file)
    {
        string? last = null;
        while (await errors.ReadLineAsync() is { } line)
        {
            Append(file, line);
            last = line;
        }

        return last;
    }

    /// <summary>Appends one line with the time. Errors are ignored, because a log must not disturb a run.</summary>
    public static void Append(string file, string line)
    {
        try
        {
            var folder = Path.GetDirectoryName(Path.GetFullPath(file))!;
            lock (Order)
            {
                DurableFile.CreateFolder(folder, within: Path.GetDirectoryName(folder));
                File.AppendAllText(file, $"{TimeProvider.System.GetUtcNow():O} {line}\n", ProcessLines.Encoding);
            }
        }
        catch (Exception)
        {
            // The run's folder may be gone. Write errors include an ArgumentOutOfRangeException for a file that is too large.
        }
    }
}
