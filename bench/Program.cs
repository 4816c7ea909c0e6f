using ScaleOut.Bench;
using ScaleOut.Bench.AccountCpu;
using ScaleOut.Bench.KnownTruth;
using ScaleOut.Bench.KnownTruth.Findings;
using ScaleOut.Bench.Memory;
using ScaleOut.Bench.Size;
using ScaleOut.Bench.Soak;
using ScaleOut.Bench.Startup;
using ScaleOut.Bench.Telemetry;

switch (args)
{
    case [AccountServer.Role, var latency]:
        await AccountServer.ServeAsync(latency);
        return 0;
    case [BareEndpoint.Role, var settings]:
        await BareEndpoint.ServeAsync(settings);
        return 0;
    case [BareFrames.Role, var settings]:
        await BareFrames.ServeAsync(settings);
        return 0;
    case ["worker", .. var options]:
        await WorkerBenchmark.RunAsync(BenchSettings.Parse(options));
        return 0;
    case [IngestionServer.Role, _]:
        await IngestionServer.ServeAsync();
        return 0;
    case ["telemetry", .. var options]:
        await TelemetryBenchmark.RunAsync(BenchSettings.Parse(options));
        return 0;
    case ["account-cpu", .. var options]:
        var chosen = BenchSettings.Parse(options);
        await (chosen.Mode == ConnectionMode.Direct ? DirectAccountBenchmark.RunAsync(chosen) : AccountBenchmark.RunAsync(chosen));
        return 0;
    case ["memory"]:
        await MemoryBenchmark.RunAsync();
        return await ReportMemory.RunAsync() ? 0 : 1;
    case ["memory", "report"]:
        return await ReportMemory.RunAsync() ? 0 : 1;
    case [ReportMemory.Role, var folder]:
        await ReportMemory.ReportAsync(folder);
        return 0;
    case ["history"]:
        History.Show();
        return 0;
    case ["startup"]:
        await StartupBenchmark.RunAsync();
        return 0;
    case ["modes"]:
        await ModeTable.RunAsync();
        return 0;
    case ["mode-ratio"]:
        await ModeRatio.RunAsync(repeats: 5);
        return 0;
    case ["size-truth", .. var options]:
        await SizeTruth.RunAsync(options is [var seconds] ? int.Parse(seconds, CultureInfo.InvariantCulture) : 12);
        return 0;
    case ["size-runs", .. var options]:
        return await SizeRuns.RunAsync(
            options is [var each, ..] ? int.Parse(each, CultureInfo.InvariantCulture) : 20,
            [.. options.Skip(1).Select(one => int.Parse(one, CultureInfo.InvariantCulture))]) ? 0 : 1;
    case ["size-questions"]:
        return SizeQuestions.Run() ? 0 : 1;
    case [SoakAccount.Role, _]:
        await SoakAccount.ServeAsync();
        return 0;
    case ["soak", .. var options]:
        return await SoakBenchmark.RunAsync(SoakSettings.Parse(options)) ? 0 : 1;
    case ["known-truth", "findings", .. var options]:
        return FindingTruthTable.Run(
            options is [var experiments, ..] ? int.Parse(experiments, CultureInfo.InvariantCulture) : 2_000,
            options is [_, var repeats, ..] ? int.Parse(repeats, CultureInfo.InvariantCulture) : 5,
            options is [_, _, var part] ? part : "") ? 0 : 1;
    case ["known-truth", .. var options]:
        return KnownTruthTable.Run(
            options is [var searches, ..] ? int.Parse(searches, CultureInfo.InvariantCulture) : 300,
            options is [_, var name, ..] ? name : "",
            options is [_, _, var series] ? int.Parse(series, CultureInfo.InvariantCulture) : 0) ? 0 : 1;
    default:
        Console.Error.WriteLine(
            "usage: bench modes|mode-ratio|memory [report]|startup|history, or bench worker|telemetry|account-cpu"
            + " [--documents N] [--concurrency N] [--pairs N] [--mode Gateway|Direct] [--bulk]"
            + ", or bench size-truth [seconds], or bench size-runs [seconds] [questions...], or bench size-questions"
            + ", or bench known-truth [searches] [part of a name] [series of seeds]"
            + ", or bench known-truth findings [experiments] [repeats] [part of a name]"
            + ", or bench soak [--kills N] [--seed N] [--minutes N] [--at-once N]");
        return 2;
}
