using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using ScaleOut.Specs;

namespace ScaleOut.Bench.Predict;

/// <summary>
/// What <c>devbox predict</c> says of 1, 2, 4 and 8 workers, beside real runs of as many on this machine: in both modes, bound by request
/// units and by the clients' CPU. Each group is predicted from its first run's report alone, but for the cores: workers of one machine
/// share them with the account and with everything else, so the prediction gets as many as the workers in fact had.
/// </summary>
public static class PredictTable
{
    private const int Throughput = 8_000;
    private const int Partitions = 2;
    private const double ChargeOfInsert = 5.7;

    /// <summary>More than the cores of two can insert.</summary>
    private const int CpuBoundRate = 2_500;

    /// <summary>Runs all and prints the table.</summary>
    public static async Task RunAsync(PredictSettings settings)
    {
        var folder = Directory.CreateTempSubdirectory("bench-predict-").FullName;
        try
        {
            Console.WriteLine(
                "| bound by | mode | workers | cores had | inserts/s measured | predicted | error | p99 ms measured | predicted | error "
                + "| 429s measured | predicted |");
            Console.WriteLine("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
            foreach (var byCpu in (bool[])[false, true])
            {
                foreach (var mode in (ConnectionMode[])[ConnectionMode.Direct, ConnectionMode.Gateway])
                    await RunGroupAsync(folder, settings, byCpu, mode);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task RunGroupAsync(string folder, PredictSettings settings, bool byCpu, ConnectionMode mode)
    {
        string? basis = null;
        foreach (var workers in settings.Workers)
        {
            var id = $"{(byCpu ? "cpu" : "ru")}-{mode.ToString().ToLowerInvariant()}-{workers}";
            var documents = (int)(settings.Seconds * (byCpu ? CpuBoundRate : Throughput / ChargeOfInsert));
            List<string> fields =
            [
                "--workers", Text(workers), "--mode", mode.ToString(),
                "--throughput", Text(byCpu ? 1_000_000 : Throughput), "--partitions", Text(Partitions),
                "--latency", byCpu ? "none" : "same-region",
            ];
            await DevBoxAsync(folder, ["run", "--id", id, "--documents", Text(documents), .. fields]);
            basis ??= id;
            var report = await ReadAsync(Path.Combine(folder, "runs", id, "report.json"));
            var throughput = report.GetProperty("throughput");
            var cores = report.GetProperty("workers").EnumerateArray().Sum(worker => worker.GetProperty("cpuSeconds").GetDouble())
                / throughput.GetProperty("makespanSeconds").GetDouble();
            var shared = byCpu ? cores : Environment.ProcessorCount;
            var predicted = JsonDocument.Parse(await DevBoxAsync(
                folder, ["predict", basis, .. fields, "--shared-cores", Text(shared), "--minutes", "1", "--json"])).RootElement;
            Write(byCpu, mode, workers, cores, report, predicted);
        }
    }

    private static void Write(
        bool byCpu, ConnectionMode mode, int workers, double cores, JsonElement report, JsonElement predicted)
    {
        var throughput = report.GetProperty("throughput");
        var rate = throughput.TryGetProperty("overlapPerSecond", out var overlap) && overlap.ValueKind == JsonValueKind.Number
            ? overlap.GetDouble()
            : throughput.GetProperty("makespanPerSecond").GetDouble();
        var rateSaid = predicted.GetProperty("perSecond").GetDouble();
        var p99 = report.GetProperty("latencyMs").GetProperty("operation").GetProperty("p99").GetDouble();
        var p99Said = predicted.GetProperty("operationMs").GetProperty("p99").GetDouble();
        var requests = report.GetProperty("requests");
        var throttled = requests.GetProperty("throttled").GetDouble() / requests.GetProperty("attempts").GetDouble();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {(byCpu ? "CPU" : "RU")} | {mode} | {workers} | {cores:0.00} "
                + $"| {rate:N0} | {rateSaid:N0} | {(rateSaid / rate) - 1:+0.0%;-0.0%} "
                + $"| {p99:N1} | {p99Said:N1} | {(p99Said / p99) - 1:+0%;-0%} "
                + $"| {throttled:0.0%} | {predicted.GetProperty("throttledShare").GetDouble():0.0%} |"));
    }

    private static async Task<string> DevBoxAsync(string folder, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "DevBox"), arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException(
                $"devbox {string.Join(' ', arguments)} ended with {process.ExitCode}: {await error}{output}");
    }

    private static async Task<JsonElement> ReadAsync(string file) =>
        JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement;

    private static string Text(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);
}
