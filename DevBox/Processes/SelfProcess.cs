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
