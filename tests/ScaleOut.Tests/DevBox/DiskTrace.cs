using System.ComponentModel;
using System.Diagnostics;
using System.Text.RegularExpressions;

namespace ScaleOut.Tests.DevBox;

/// <summary>
/// Calls by which a program brings files to disk and gives them their names, as strace lists them, in the order of each thread.
/// </summary>
internal sealed partial class DiskTrace
{
    private readonly Dictionary<string, (string Before, string Temporary, string After)> _published = [];

    private DiskTrace()
    {
    }

    /// <summary>
    /// Files that got their names: the path that the same thread flushed just before, the temporary name, and the path flushed just after.
    /// </summary>
    public IReadOnlyDictionary<string, (string Before, string Temporary, string After)> Published => _published;

    /// <summary>Whether there is a strace here that may look at other processes.</summary>
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

    /// <summary>Lets a program be traced with all processes that it starts.</summary>
    public static void Add(ProcessStartInfo start, string file)
    {
        string[] own = [start.FileName, .. start.ArgumentList];
        start.ArgumentList.Clear();
        // -y gives the path of a descriptor; --seccomp-bpf stops the program at these calls alone.
        foreach (var argument in (string[])["-f", "--seccomp-bpf", "-y", "-e", "trace=fsync,rename,link", "-o", file, "--", .. own])
            start.ArgumentList.Add(argument);
        start.FileName = "strace";
    }

    /// <summary>Reads what a traced program did.</summary>
    /// <param name="file">The trace.</param>
    /// <param name="folder">The program's working folder.</param>
    public static DiskTrace Read(string file, string folder)
    {
        var trace = new DiskTrace();
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
                trace._published[path] = (calls[i - 1].Groups["flushed"].Value, temporary, calls[i + 1].Groups["flushed"].Value);
            }
        }

        return trace;
    }

    [GeneratedRegex(@"^(?<thread>\d+) +(fsync\(\d+<(?<flushed>[^>]+)>|(rename|link)\(""(?<old>[^""]+)"", ""(?<named>[^""]+)"")")]
    private static partial Regex Call();
}
