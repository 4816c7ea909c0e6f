namespace ScaleOut.Bench.Size;

/// <summary>
/// What <c>devbox size --workers</c> says of 1, 2, 4 and 8 workers, beside real runs of as many on this machine, in both modes. Each group
/// is simulated from its first run's report alone. The loads leave the machine nearly idle, because simulated workers have cores of their
/// own.
/// </summary>
public static class SizeTable
{
    private const int Partitions = 2;
    internal const double ChargeOfInsert = 5.75;

    /// <summary>Runs all and prints the table.</summary>
    public static async Task RunAsync(SizeSettings settings)
    {
        var folder = Directory.CreateTempSubdirectory("bench-size-").FullName;
        try
        {
            // What is compiled first is in no figure.
            await File.WriteAllTextAsync(Path.Combine(folder, "spec.json"), "{ \"warmup\": \"00:00:05\" }");
            Console.WriteLine(
                "| bound by | mode | workers | inserts/s measured | simulated | error | p99 ms measured | simulated | error "
                + "| 429s measured | simulated | machine busy |");
            Console.WriteLine("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
            foreach (var load in SizeLoad.All.Where(load => settings.Loads.Contains(load.Id)))
            {
                foreach (var mode in (ConnectionMode[])[ConnectionMode.Direct, ConnectionMode.Gateway])
                    await RunGroupAsync(folder, settings, load, mode);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task RunGroupAsync(string folder, SizeSettings settings, SizeLoad load, ConnectionMode mode)
    {
        string? basis = null;
        foreach (var workers in settings.Workers)
        {
            var id = $"{load.Id}-{mode.ToString().ToLowerInvariant()}-{workers}";
            List<string> fields =
            [
                "--workers", Text(workers), "--mode", mode.ToString(), "--concurrency", Text(load.Concurrency),
                "--throughput", Text(load.Throughput), "--partitions", Text(Partitions), "--latency", load.Latency,
            ];
            var documents = (int)((settings.Seconds + 5) * load.RateOf(workers));
            await DevBoxAsync(folder, ["run", "spec.json", "--id", id, "--documents", Text(documents), .. fields]);
            basis ??= id;
            var report = await ReadAsync(Path.Combine(folder, "runs", id, "report.json"));
            var result = JsonDocument.Parse(
                await DevBoxAsync(folder, ["size", basis, .. fields, "--minutes", "2", "--json"])).RootElement;
            Write(load, mode, workers, report, result.GetProperty("fleet"));
        }
    }

    private static void Write(SizeLoad load, ConnectionMode mode, int workers, JsonElement report, JsonElement simulated)
    {
        var throughput = report.GetProperty("throughput");
        var rate = throughput.TryGetProperty("overlapPerSecond", out var overlap) && overlap.ValueKind == JsonValueKind.Number
            ? overlap.GetDouble()
            : throughput.GetProperty("makespanPerSecond").GetDouble();
        var rateSaid = simulated.GetProperty("perSecond").GetDouble();
        var p99 = report.GetProperty("latencyMs").GetProperty("operation").GetProperty("p99").GetDouble();
        var p99Said = simulated.GetProperty("operationMs").GetProperty("p99").GetDouble();
        var requests = report.GetProperty("requests");
        var throttled = requests.GetProperty("throttled").GetDouble() / requests.GetProperty("attempts").GetDouble();
        var machine = report.GetProperty("utilization").TryGetProperty("machine", out var share) && share.ValueKind == JsonValueKind.Number
            ? share.GetDouble().ToString("0%", CultureInfo.InvariantCulture)
            : "";
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {load.Name} | {mode} | {workers} "
                + $"| {rate:N0} | {rateSaid:N0} | {(rateSaid / rate) - 1:+0.0%;-0.0%} "
                + $"| {p99:N1} | {p99Said:N1} | {(p99Said / p99) - 1:+0%;-0%} "
                + $"| {throttled:0.0%} | {simulated.GetProperty("throttledShare").GetDouble():0.0%} | {machine} |"));
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

/// <summary>What bounds a group of runs.</summary>
/// <param name="Id">In the runs' ids.</param>
/// <param name="Name">In the table.</param>
/// <param name="Throughput">RU/s of the container.</param>
/// <param name="Concurrency">Operations in flight per worker.</param>
/// <param name="Latency">Of the account.</param>
/// <param name="RateOf">About how many documents so many workers insert in a second.</param>
internal sealed record SizeLoad(
    string Id, string Name, int Throughput, int Concurrency, string Latency, Func<int, double> RateOf)
{
    private const int Scarce = 2_000;
    private const double FarSeconds = 0.09;

    /// <summary>Loads that leave a machine of two cores nearly idle.</summary>
    public static IReadOnlyList<SizeLoad> All { get; } =
    [
        new("ru", "RU", Scarce, 5, "same-region", _ => Scarce / SizeTable.ChargeOfInsert),
        new("flight", "in flight", 100_000, 5, "cross-region", workers => workers * 5 / FarSeconds),
    ];
}
