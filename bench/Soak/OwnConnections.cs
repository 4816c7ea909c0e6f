using System.Runtime.InteropServices;

namespace ScaleOut.Bench.Soak;

/// <summary>The TCP connections that other processes have made to this process, as Linux lists them.</summary>
internal static partial class OwnConnections
{
    private const string Listening = "0A";
    private const string Established = "01";
    private const int BothWays = 2;

    // Columns of /proc/net/tcp.
    private const int LocalAddress = 1;
    private const int State = 3;
    private const int Inode = 9;

    /// <summary>Shuts all of them down.</summary>
    /// <returns>Number of connections that were shut down.</returns>
    public static int ShutDown()
    {
        var descriptors = SocketsOf("/proc/self/fd");
        var rows = File.ReadLines("/proc/self/net/tcp").Skip(1)
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => descriptors.ContainsKey(columns[Inode]))
            .ToList();
        var ports = rows.Where(columns => columns[State] == Listening).Select(PortOf).ToHashSet();
        return rows.Where(columns => columns[State] == Established && ports.Contains(PortOf(columns)))
            .Count(columns => ShutDown(descriptors[columns[Inode]], BothWays) == 0);
    }

    private static string PortOf(string[] columns) =>
        columns[LocalAddress][(columns[LocalAddress].IndexOf(':', StringComparison.Ordinal) + 1)..];

    /// <summary>File descriptors of the sockets, by inode.</summary>
    private static Dictionary<string, int> SocketsOf(string folder)
    {
        const string mark = "socket:[";
        var sockets = new Dictionary<string, int>();
        foreach (var path in Directory.EnumerateFileSystemEntries(folder))
        {
            if (new FileInfo(path).LinkTarget is { } target && target.StartsWith(mark, StringComparison.Ordinal))
                sockets[target[mark.Length..^1]] = int.Parse(Path.GetFileName(path), CultureInfo.InvariantCulture);
        }

        return sockets;
    }

    [LibraryImport("libc", EntryPoint = "shutdown")]
    private static partial int ShutDown(int socket, int how);
}
