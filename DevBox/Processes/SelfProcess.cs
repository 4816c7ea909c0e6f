using System.Diagnostics;

namespace ScaleOut.DevBox.Processes;

/// <summary>This program as a further process.</summary>
internal static class SelfProcess
{
    /// <summary>
    /// Runtime settings of processes that share a machine under load: without them, spinning threads take the cores from each other
    /// and four workers on two cores make less than one would. The project file sets them for every start of the program; here they hold over what
    /// the environment of the user says.
    /// </summary>
    private static readonly IReadOnlyDictionary<string, string> RuntimeSettings = new Dictionary<string, string>
    {
        ["DOTNET_ThreadPool_UnfairSemaphoreSpinLimit"] = "0",
        ["DOTNET_TieredPGO"] = "0",
        ["DOTNET_gcServer"] = "0",
    };

    /// <summary>How to start this program with some arguments and all three streams in our hands.</summary>
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
        var host = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? Environment.ProcessPath : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH");
        return (host ?? "dotnet", [dll]);
    }
}
