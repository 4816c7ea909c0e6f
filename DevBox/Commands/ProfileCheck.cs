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
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// <c>calibrate --check</c>: three small specs on the account and on simulated accounts with its profile, and whether both give the same.
/// </summary>
internal sealed class ProfileCheck(AccountProfile profile, AccountConnection account, double minutes)
{
    /// <summary>
    /// Shortest check in minutes. Each run then lasts 10 s, and of those that its warm-up leaves a rate needs 5 whole ones.
    /// </summary>
    public const double FewestMinutes = 5;

    private const string RunsFolder = "runs";
    private const int Repeats = 5;

    /// <summary>Three specs on both sides.</summary>
    private const int Runs = 2 * 3 * Repeats;

    private const int Workers = 2;
    private const int Throughput = 2_000;
    private const int Preloaded = 500;

    /// <summary>RU of all runs on the account, by the profile: half of the budget, all of it, and at most all of it.</summary>
    private double Cost => Repeats * ((2.5 * Throughput * SecondsOf(minutes)) + (Preloaded * InsertCharge(profile)));

    /// <summary>What will be done, one line each.</summary>
    public IReadOnlyList<string> Describe() =>
    [
        $"runs three small specs, 5 times each, on {account.Endpoint.Host} and on simulated accounts with profile {profile.Name}, each in "
            + "a container of its own with 2,000 RU/s, which is deleted at the end",
        string.Create(
            CultureInfo.InvariantCulture,
            $"takes about {minutes:0.#} min and the start of {Runs} runs, and costs at most about {Cost:#,0} RU"),
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

    /// <summary>
    /// The experiment, without an id and without physics: each run lasts as long as its step, however fast the account is.
    /// </summary>
    public static string SpecOf(AccountProfile profile, double minutes)
    {
        var seconds = SecondsOf(minutes);
        var rate = FormattableString.Invariant($"{Throughput / 2.0 / InsertCharge(profile) / Workers:0.###}");
        string Step(string load) => FormattableString.Invariant($$"""[{ {{load}}, "duration": "{{TimeSpan.FromSeconds(seconds):c}}" }]""");
        return FormattableString.Invariant($$"""
            {
              "name": "Check of a profile",
              "base": {
                "documents": {{Throughput * seconds:0}}, "workers": {{Workers}}, "warmup": "00:00:02",
                "container": { "throughput": {{Throughput}} }
              },
              "variants": [
                { "name": "inserts at half the budget", "change": { "workload": { "steps": {{Step($"\"rate\": {rate}")}} } } },
                { "name": "inserts beyond the budget", "change": { "workload": { "steps": {{Step("\"users\": 40")}} } } },
                { "name": "point reads", "change": {
                  "documents": {{5 * Throughput * seconds:0}},
                  "workload": { "kind": "read", "preload": {{Preloaded}}, "steps": {{Step("\"users\": 4")}} } } }
              ],
              "repeats": {{Repeats}}
            }
            """);
    }

    private static double SecondsOf(double minutes) => 60 * minutes / Runs;

    /// <summary>RU of a document, as the profile has it.</summary>
    private static double InsertCharge(AccountProfile profile) =>
        RunEstimate.From(new RunSpec { Documents = 1, Simulation = ProfileSimulation.From(profile) }).RequestUnits;

    private async Task<ExperimentReport> RunAsync(string id, AccountConnection? account, ExperimentStop stop)
    {
        var reading = ExperimentSpecReader.Read(
            SpecOf(profile, minutes), account is null ? RunTarget.SimulatedAccount : RunTarget.OtherAccount, fields =>
            {
                fields["id"] = id;
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
        var lines = new ExperimentLines(Console.Out, run => RunDisplays.For(
            Console.Out, Console.IsOutputRedirected, RunHeading.From(run, account?.Endpoint)));
        await new LocalExperimentActivities(folder.RunsFolder, spec, account, stop, lines).RunAsync(new RunLog(folder));
        var json = await files.ReadReportAsync(RunFiles.ReportName, CancellationToken.None)
            ?? throw new InvalidOperationException($"The report of experiment '{id}' is not in its folder.");
        return ExperimentJsonWriter.Read(json);
    }
}
