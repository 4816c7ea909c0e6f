using System.ComponentModel;

namespace ScaleOut.Tests.Programs;

/// <summary>The calls by which a program brings files to disk and names them, as strace lists them, in the order of each thread.</summary>
internal static partial class DiskTrace
{
    /// <summary>Whether strace is installed and may trace other processes.</summary>
    public static bool IsPossible()
    {
        try
        {
            using var trial = Process.Start(new ProcessStartInfo("strace", ["-o", "/dev/null", "true"]) { RedirectStandardError = true })!;
            trial.WaitForExit();
            return trial.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    /// <summary>The arguments of strace before the command line of the traced program. Its child processes are traced too.</summary>
    /// <remarks>-y gives the path of a descriptor; --seccomp-bpf stops the program at these calls alone.</remarks>
    public static string[] Arguments(string file) => ["-f", "--seccomp-bpf", "-y", "-e", "trace=fsync,rename,link", "-o", file, "--"];

    /// <summary>
    /// Each named file with its temporary name and the paths that the same thread flushed just before and just after the naming.
    /// </summary>
    /// <param name="file">The trace.</param>
    /// <param name="folder">The program's working folder.</param>
    public static IReadOnlyDictionary<string, (string Before, string Temporary, string After)> Read(string file, string folder)
    {
        var published = new Dictionary<string, (string Before, string Temporary, string After)>();
        foreach (var thread in File.ReadLines(file).Select(line => Call().Match(line)).Where(call => call.Success)
            .GroupBy(call => call.Groups["thread"].Value))
        {
            var calls = thread.ToList();
            for (var i = 1; i + 1 < calls.Count; i++)
            {
                if (!calls[i].Groups["named"].Success)
                    continue;
                var path = Path.GetFullPath(calls[i].Groups["named"].Value, folder);
                var temporary = Path.GetFullPath(calls[i].Groups["old"].Value, folder);
                published[path] = (calls[i - 1].Groups["flushed"].Value, temporary, calls[i + 1].Groups["flushed"].Value);
            }
        }

        return published;
    }

    /// <summary>The files and folders that were flushed.</summary>
    public static IEnumerable<string> Flushed(string file) =>
        File.ReadLines(file).Select(line => Call().Match(line).Groups["flushed"]).Where(path => path.Success).Select(path => path.Value);

    [GeneratedRegex(@"^(?<thread>\d+) +(fsync\(\d+<(?<flushed>[^>]+)>|(rename|link)\(""(?<old>[^""]+)"", ""(?<named>[^""]+)"")")]
    private static partial Regex Call();
}
