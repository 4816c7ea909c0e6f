namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// Finds the processes of one run by their command lines. Only processes of the test's own folder count, as other tests may use the same
/// run id.
/// </summary>
internal static class RunProcesses
{
    /// <summary>Worker processes of a run, by worker.</summary>
    public static IReadOnlyDictionary<int, int> Workers(string folder, string runId)
    {
        var found = new Dictionary<int, int>();
        foreach (var (id, arguments) in All(folder))
        {
            var command = Array.IndexOf(arguments, "worker");
            if (command >= 0 && arguments.Contains(runId) && arguments[^1].Length > 0)
                found[int.Parse(arguments[Array.IndexOf(arguments, "--index") + 1], CultureInfo.InvariantCulture)] = id;
        }

        return found;
    }

    /// <summary>The account process of a run; null when there is none.</summary>
    public static int? Account(string folder, string runId)
    {
        var accounts = All(folder).Where(process => process.Arguments.Contains("account") && process.Arguments.Contains(runId));
        return accounts.Select(process => (int?)process.Id).FirstOrDefault();
    }

    private static IEnumerable<(int Id, string[] Arguments)> All(string workingFolder)
    {
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (!int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id) || !Signals.Lives(id))
                continue;
            string[] arguments;
            try
            {
                if (new DirectoryInfo(Path.Combine(folder, "cwd")).LinkTarget != workingFolder)
                    continue;
                arguments = File.ReadAllText(Path.Combine(folder, "cmdline")).TrimEnd('\0').Split('\0');
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                continue;
            }

            yield return (id, arguments);
        }
    }
}
