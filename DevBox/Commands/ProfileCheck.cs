using System.Globalization;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.DevBox.Accounts;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Engine;
using ScaleOut.DevBox.Runs;
using ScaleOut.Experiments;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Calibration;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// <c>calibrate --check</c>: three small specs on the account and on simulated accounts with its profile, and whether both give the same.
/// </summary>
internal sealed class ProfileCheck(AccountProfile profile, AccountConnection account, double minutes)
{
    private const string RunsFolder = "runs";

    /// <summary>RU of all runs on the account at full size, by the documented charges.</summary>
    private const double CostOfAll = 350_000;

    private const string Spec = """
        {
          "name": "Check of a profile",
          "base": { "workers": 2, "warmup": "00:00:02", "container": { "throughput": 2000 } },
          "variants": [
            { "name": "inserts at half the budget", "change": { "documents": 3200, "client": { "rate": 80 } } },
            { "name": "inserts beyond the budget", "change": { "documents": 6000, "client": { "concurrency": 20 } } },
            { "name": "point reads", "change": {
              "documents": 12000, "workload": { "kind": "read", "preload": 500 }, "client": { "concurrency": 2 } } }
          ],
          "repeats": 5
        }
        """;

    /// <summary>Share of the specs' documents and times that is run.</summary>
    private double Scale => minutes / CalibrationPlan.MostMinutes;

    /// <summary>What will be done, one line each.</summary>
    public IReadOnlyList<string> Describe() =>
    [
        $"runs three small specs, 5 times each, on {account.Endpoint.Host} and on simulated accounts with profile {profile.Name}, each in "
            + "a container of its own with 2,000 RU/s, which is deleted at the end",
        string.Create(
            CultureInfo.InvariantCulture,
            $"takes about {minutes:0.#} min and the start of 30 runs, and costs about {CostOfAll * Scale:#,0} RU"),
    ];

    /// <summary>Runs them and prints what is the same.</summary>
    public async Task<int> RunAsync()
    {
        var id = $"check-{DateTimeOffset.UtcNow:yyMMddHHmmss}";
        using var stop = new ExperimentStop();
        using var signals = StopSignals.Listen(stop.Request, () =>
        {
            stop.Kill();
            Environment.Exit(ExitCode.Stopped);
        });
        var real = await RunAsync($"{id}-a", account, stop);
        var simulated = stop.IsRequested ? null : await RunAsync($"{id}-s", account: null, stop);
        if (simulated is null || stop.IsRequested)
            return ExitCode.Stopped;

        var comparisons = ProfileComparison.From(real, simulated);
        foreach (var comparison in comparisons)
            Console.WriteLine($"  {comparison.Describe()}");
        return comparisons.Any(comparison => comparison.IsSame is not true) ? ExitCode.Incomplete : ExitCode.Complete;
    }

    private async Task<ExperimentReport> RunAsync(string id, AccountConnection? account, ExperimentStop stop)
    {
        var reading = ExperimentSpecReader.Read(
            Spec, account is null ? RunTarget.SimulatedAccount : RunTarget.OtherAccount, fields =>
            {
                fields["id"] = id;
                fields["scale"] = Scale;
                if (account is null)
                    ProfileSimulation.Apply(fields["base"]!.AsObject(), profile);
            });
        if (reading.Value is not { } spec)
            throw new InputException([.. reading.Errors.Select(error => $"--check: {error}")]);
        var folder = new RunFolder(RunsFolder, id);
        using var taken = RunLock.TryTake(folder) ?? throw new InputException($"{folder.FullPath} is in use by another process.");
        if (account is not null)
            await RunAccounts.NoteAsync(folder, account, CancellationToken.None);
        var files = new ExperimentFiles(new FolderRunStore(folder.RunsFolder), id);
        await files.TryClaimAsync(spec, CancellationToken.None);
        var lines = new ExperimentLines(
            Console.Out, heading => RunDisplays.For(Console.Out, Console.IsOutputRedirected, heading));
        await new LocalExperimentActivities(folder.RunsFolder, spec, account, stop, lines).RunAsync(new RunLog(folder));
        var json = await files.ReadReportAsync(RunFiles.ReportName, CancellationToken.None)
            ?? throw new InvalidOperationException($"The report of experiment '{id}' is not in its folder.");
        return ExperimentJsonWriter.Read(json);
    }
}
