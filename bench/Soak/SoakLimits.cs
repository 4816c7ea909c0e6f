namespace ScaleOut.Bench.Soak;

/// <summary>
/// Limits on the number of processes and threads of a program that the soak starts: <c>pids.max</c> of a control group, or the user's own
/// limit (<c>ulimit -u</c>). Only for root on Linux.
/// </summary>
internal static class SoakLimits
{
    private const string Groups = "/sys/fs/cgroup/pids";

    /// <summary>A user that has no other processes. The limit of a user counts all of them, and does not hold for root.</summary>
    private const string User = "54321";

    public static bool CanBeSet { get; } = OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess && Directory.Exists(Groups);

    /// <summary>The words before a command that let it and its children have so many threads in a control group.</summary>
    /// <param name="name">The group's name. It is made, and stays empty when its processes have ended.</param>
    public static string[] OfGroup(string name, int threads)
    {
        var group = Directory.CreateDirectory(Path.Combine(Groups, name)).FullName;
        File.WriteAllText(Path.Combine(group, "pids.max"), threads.ToString(CultureInfo.InvariantCulture));
        return ["sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", group];
    }

    /// <summary>The words before a command that let its user have so many threads. The folder becomes that user's own.</summary>
    public static string[] OfUser(string folder, int threads)
    {
        SoakProgram.Succeeds("chown", "-R", $"{User}:{User}", folder);
        var limit = threads.ToString(CultureInfo.InvariantCulture);
        return ["setpriv", $"--reuid={User}", $"--regid={User}", "--clear-groups", "--", "prlimit", $"--nproc={limit}:{limit}", "--"];
    }

    /// <summary>Removes a control group without processes.</summary>
    public static void RemoveGroup(string name) => SoakProgram.Succeeds("rmdir", Path.Combine(Groups, name));
}
