using System.Text.Json.Nodes;

namespace ScaleOut.Bench.Size;

/// <summary>
/// Compares the results of <c>devbox size --workers</c> for one and two workers with real runs on this machine. <c>size</c> itself measures
/// CPU and overhead of an operation; nothing is fitted to the runs. Each worker is bound to a core of its own. One worker leaves the other
/// core to the account; two workers share their cores with it.
/// </summary>
public static class SizeTruth
{
    private static readonly IReadOnlyList<TruthRun> Runs =
    [
        new("flight-2", "2 in flight", 1, 2, null, 100_000, 350),
        new("flight-8", "8 in flight", 1, 8, null, 100_000, 1_300),
        new("open-300", "300/s", 1, 50, 300, 100_000, 300),
        new("open-800", "800/s", 1, 50, 800, 100_000, 800),
        new("two-closed", "2 in flight each", 2, 2, null, 100_000, 700),
        new("two-open", "250/s each", 2, 50, 250, 100_000, 500),
        new("units", "5 in flight, 2,000 RU/s", 1, 5, null, 2_000, 340),
    ];

    /// <summary>Makes all runs and prints the table.</summary>
    /// <param name="seconds">Approximate length of each run.</param>
    public static async Task RunAsync(int seconds)
    {
        var folder = Directory.CreateTempSubdirectory("bench-size-").FullName;
        try
        {
            Console.WriteLine(
                "| run | workers | documents/s measured | simulated | error | p99 ms measured | simulated | error | client CPU "
                + "| machine busy |");
            Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
            var known = await KnownAsync(folder);
            foreach (var run in Runs)
            {
                var report = await MeasureAsync(folder, run.Id, run.SpecFor(seconds), pinAccount: run.Workers == 1);
                var simulated = await SizeAsync(
                    folder, $"{run.Id}.json", "--cpu-per-operation", $"{Text(known.Cpu)}ms",
                    "--overhead", $"{Text(known.Overhead)}ms", "--workers", Text(run.Workers), "--minutes", "1");
                Write(run, report, simulated);
            }

            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"CPU of an operation {known.Cpu:0.000} ms, overhead {known.Overhead:0.00} ms, as size measured them."));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Makes a run from a spec.</summary>
    /// <param name="pinAccount">Whether the account must leave the first core to the worker.</param>
    /// <returns>Its report.</returns>
    internal static async Task<JsonElement> MeasureAsync(string folder, string id, JsonObject spec, bool pinAccount)
    {
        await File.WriteAllTextAsync(Path.Combine(folder, $"{id}.json"), spec.ToJsonString());
        var running = DevBoxAsync(folder, ["run", $"{id}.json", "--id", id]);
        if (pinAccount)
            await PinAccountAsync(Path.Combine(folder, "runs", id, "account.json"), running);
        await running;
        return JsonDocument.Parse(await File.ReadAllTextAsync(Path.Combine(folder, "runs", id, "report.json"))).RootElement;
    }

    /// <summary>Binds the account to all cores except the first, which the worker uses.</summary>
    private static async Task PinAccountAsync(string file, Task running)
    {
        while (!File.Exists(file) && !running.IsCompleted)
            await Task.Delay(20);
        if (running.IsCompleted)
            return;
        await Task.Delay(100);
        using var account = JsonDocument.Parse(await File.ReadAllTextAsync(file));
        var id = account.RootElement.GetProperty("processId").GetInt32();
        using var pin = Process.Start(new ProcessStartInfo(
            "taskset", ["-a", "-c", "-p", $"1-{Environment.ProcessorCount - 1}", Text(id)])
        {
            RedirectStandardOutput = true,
        })!;
        await pin.WaitForExitAsync();
    }

    /// <summary>CPU and overhead of an operation, in ms, as <c>size</c> measures them on this machine.</summary>
    /// <param name="options">Options of the operation, such as <c>--mode Gateway</c>.</param>
    internal static async Task<(double Cpu, double Overhead)> KnownAsync(string folder, params string[] options)
    {
        var fleet = (await SizeAsync(folder, [.. options, "--workers", "1", "--minutes", "1"])).GetProperty("fleet");
        return (fleet.GetProperty("cpuMsPerOperation").GetDouble(), fleet.GetProperty("overheadMs").GetDouble());
    }

    private static async Task<JsonElement> SizeAsync(string folder, params string[] arguments) =>
        JsonDocument.Parse(await DevBoxAsync(folder, ["size", .. arguments, "--json", "-"])).RootElement;

    private static void Write(TruthRun run, JsonElement report, JsonElement result)
    {
        var (throughput, simulated) = (report.GetProperty("throughput"), result.GetProperty("fleet"));
        var rate = throughput.GetProperty("overlapPerSecond").GetDouble();
        var rateSaid = simulated.GetProperty("perSecond").GetDouble();
        var p99 = report.GetProperty("latencyMs").GetProperty("operation").GetProperty("p99").GetDouble();
        var p99Said = simulated.GetProperty("operationMs").GetProperty("p99").GetDouble();
        var used = report.GetProperty("utilization");
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {run.Name} | {run.Workers} | {rate:N0} | {rateSaid:N0} | {(rateSaid / rate) - 1:+0.0%;-0.0%;0.0%} "
                + $"| {p99:N1} | {p99Said:N1} | {(p99Said / p99) - 1:+0%;-0%;0%} "
                + $"| {used.GetProperty("client").GetDouble():0%} | {used.GetProperty("machine").GetDouble():0%} |"));
    }

    internal static async Task<string> DevBoxAsync(string folder, IEnumerable<string> arguments)
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

    internal static string Text(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);
}

/// <summary>A run on this machine.</summary>
/// <param name="Concurrency">Operations in flight per worker.</param>
/// <param name="Rate">Documents per second and worker in an open loop. Null for a closed loop.</param>
/// <param name="Throughput">RU/s of the container.</param>
/// <param name="PerSecond">Approximate number of documents per second of all workers together.</param>
internal sealed record TruthRun(string Id, string Name, int Workers, int Concurrency, double? Rate, int Throughput, int PerSecond)
{
    /// <summary>Warm-up, s. During this time the runtime compiles the most used code once more, on the core that is measured.</summary>
    private const int WarmupSeconds = 15;

    public JsonObject SpecFor(int seconds) => new()
    {
        ["documents"] = (seconds + WarmupSeconds) * PerSecond,
        ["workers"] = Workers,
        ["warmup"] = $"00:00:{WarmupSeconds}",
        ["client"] = new JsonObject { ["connectionMode"] = "Direct", ["concurrency"] = Concurrency, ["rate"] = Rate, ["cores"] = 1 },
        ["container"] = new JsonObject { ["throughput"] = Throughput },
        ["simulation"] = new JsonObject { ["physicalPartitions"] = 2 + (Throughput / 10_000) },
    };
}
