using MathNet.Numerics.Statistics;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Bench.Startup;

/// <summary>
/// Measures the time from the command of a small run to the moment from which inserts are counted, and the CPU seconds of the whole run.
/// Account and workers are processes of their own.
/// </summary>
public static class StartupBenchmark
{
    private const int Runs = 7;
    private const int Workers = 4;
    private const int Documents = 8_000;

    /// <summary>Makes several runs. Prints each of them and the medians.</summary>
    public static async Task RunAsync()
    {
        var folder = Directory.CreateTempSubdirectory("bench-startup-");
        try
        {
            var (seconds, cpu) = (new List<double>(), new List<double>());
            for (var run = 1; run <= Runs; run++)
            {
                var (first, busy) = await MeasureAsync(folder.FullName, $"startup-{run}");
                Console.WriteLine(string.Create(
                    CultureInfo.InvariantCulture, $"  run {run}: first counted insert after {first:0.00} s; {busy:0.0} CPU seconds"));
                seconds.Add(first);
                cpu.Add(busy);
            }

            History.Conclude(string.Create(
                CultureInfo.InvariantCulture,
                $"{Workers} workers, {Documents:N0} documents: first counted insert after {seconds.Median():0.00} s "
                    + $"({seconds.Min():0.00} to {seconds.Max():0.00}), {cpu.Median():0.0} CPU seconds, medians of {Runs}"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<(double Seconds, double CpuSeconds)> MeasureAsync(string folder, string id)
    {
        var before = EndedChildren.CpuTime();
        var begun = DateTimeOffset.UtcNow;
        string[] arguments = ["run", "--documents", $"{Documents}", "--workers", $"{Workers}", "--id", id, "--out", folder];
        using var program = Process.Start(new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "DevBox"), arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var output = await Task.WhenAll(program.StandardOutput.ReadToEndAsync(), program.StandardError.ReadToEndAsync());
        await program.WaitForExitAsync();
        if (program.ExitCode != 0)
            throw new InvalidOperationException($"The run ended with exit code {program.ExitCode}: {string.Concat(output)}");

        var files = new RunFiles(new FolderRunStore(folder), id);
        var starts = new List<DateTimeOffset>();
        for (var worker = 0; worker < Workers; worker++)
            starts.Add((await files.ReadResultAsync(worker, 1, CancellationToken.None))!.StartedAt);
        return ((starts.Min() - begun).TotalSeconds, (EndedChildren.CpuTime() - before).TotalSeconds);
    }
}

/// <summary>CPU time of the child processes that have ended, including their own children. Linux only; zero elsewhere.</summary>
internal static class EndedChildren
{
    private const double TicksPerSecond = 100;
    private const int UserField = 13;

    public static TimeSpan CpuTime()
    {
        const string Stat = "/proc/self/stat";
        if (!File.Exists(Stat))
            return TimeSpan.Zero;
        // The process name in brackets may contain spaces, so fields are counted after it. The first of them is the third field of the
        // file.
        var text = File.ReadAllText(Stat);
        var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return TimeSpan.FromSeconds((Field(fields, UserField) + Field(fields, UserField + 1)) / TicksPerSecond);
    }

    private static double Field(string[] fields, int index) => double.Parse(fields[index], CultureInfo.InvariantCulture);
}
