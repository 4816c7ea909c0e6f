using ScaleOut.Workers.Measuring;

namespace ScaleOut.Bench;

/// <summary>What benchmarks on this machine concluded: a file with one line for each run, of which a table shows the last.</summary>
internal static class History
{
    private const int Shown = 10;

    private static string Path => System.IO.Path.Combine(Root(), "artifacts", "bench-history.tsv");

    /// <summary>Writes a conclusion to the console and, with the time, the version and the command, to the file.</summary>
    public static void Conclude(string conclusion)
    {
        Console.WriteLine(conclusion);
        var command = string.Join(' ', Environment.GetCommandLineArgs().Skip(1));
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(Path)!);
        File.AppendAllText(Path, $"{DateTimeOffset.UtcNow:yyyy-MM-dd HH:mm}\t{SoftwareNames.Program}\t{command}\t{conclusion}\n");
    }

    /// <summary>Writes the last ten lines of each command as a Markdown table.</summary>
    public static void Show()
    {
        if (!File.Exists(Path))
        {
            Console.WriteLine($"No benchmark has run: there is no {Path}.");
            return;
        }

        Console.WriteLine("| when (UTC) | version | command | result |\n|---|---|---|---|");
        foreach (var command in File.ReadLines(Path).Select(line => line.Split('\t')).Where(fields => fields.Length == 4)
            .GroupBy(fields => fields[2]).OrderBy(command => command.Key, StringComparer.Ordinal))
        {
            foreach (var fields in command.TakeLast(Shown))
                Console.WriteLine($"| {string.Join(" | ", fields)} |");
        }
    }

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "ScaleOut.slnx")))
            folder = folder.Parent;
        return folder?.FullName ?? Environment.CurrentDirectory;
    }
}
