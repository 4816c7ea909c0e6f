using System.Text.Json;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Bench.Processes;
using ScaleOut.DevBox.Runs;
using ScaleOut.Json;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Bench.Soak;

/// <summary>What came of a run of a soak.</summary>
/// <param name="Killed">What was killed.</param>
/// <param name="Lost">Documents that the account, or the report, has too few of.</param>
/// <param name="Double">Documents that the account, or the report, has too many of.</param>
/// <param name="Error">Why it did not finish, or what differs; null when nothing does.</param>
/// <param name="Finished">Whether it came to its end with everything that belongs to it.</param>
internal sealed record SoakRunResult(IReadOnlyList<SoakTarget> Killed, long Lost, long Double, bool Finished, string? Error);

/// <summary>One small run that is killed several times and resumed until it ends, and then compared with the account's ledger.</summary>
internal sealed class SoakRun(string folder, RunSpec spec, ServerProcess<SoakAccount.Reached> account)
{
    private const int MostResumes = 5;

    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    private readonly List<SoakTarget> _killed = [];

    private string RunFolder => Path.Combine(folder, "runs", spec.Id!);

    /// <summary>Runs it.</summary>
    public async Task<SoakRunResult> RunAsync(IReadOnlyList<SoakKill> kills, Random random)
    {
        var plan = Path.Combine(folder, $"{spec.Id}.json");
        await File.WriteAllBytesAsync(plan, JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact));
        var program = Start("run", plan, "--account", account.Ready.Endpoint.AbsoluteUri, "--account-thumbprint", account.Ready.Thumbprint);
        try
        {
            foreach (var kill in kills)
            {
                if (!await IsDueAsync(kill, program)
                    || !await KillAsync(kill.Target, program, random) || kill.Target is SoakTarget.Worker or SoakTarget.Connections)
                    continue;
                await program.EndsAsync(TransientRetry);
                program.Dispose();
                program = Start("resume", spec.Id!);
            }

            var ended = await program.EndsAsync(TransientRetry);
            for (var resumes = 0; !File.Exists(Path.Combine(RunFolder, "ended.json")) && resumes < MostResumes; resumes++)
            {
                program.Dispose();
                program = Start("resume", spec.Id!);
                ended = await program.EndsAsync(TransientRetry);
            }

            return await CompareAsync(ended, program);
        }
        finally
        {
            program.Dispose();
        }
    }

    private SoakProgram Start(params string[] arguments) => SoakProgram.Start(folder, account.Ready.Key, arguments);

    /// <summary>Waits for a kill's instant; false when the program ends before it.</summary>
    private async Task<bool> IsDueAsync(SoakKill kill, SoakProgram program)
    {
        while (!File.Exists(Path.Combine(RunFolder, kill.After)) && !program.HasExited)
            await Task.Delay(Poll);
        var due = TimeProvider.System.GetTimestamp();
        while (TimeProvider.System.GetElapsedTime(due) < kill.Delay && !program.HasExited)
            await Task.Delay(Poll);
        return !program.HasExited;
    }

    /// <summary>Kills something; false when there is nothing to kill.</summary>
    private async Task<bool> KillAsync(SoakTarget target, SoakProgram program, Random random)
    {
        var killed = true;
        switch (target)
        {
            case SoakTarget.Worker:
                killed = program.TryKillWorker(random);
                break;
            case SoakTarget.Program:
                program.KillAlone();
                break;
            case SoakTarget.All:
                program.KillAll();
                break;
            default:
                killed = await SoakAccount.CutAsync(account) > 0;
                break;
        }

        if (killed)
            _killed.Add(target);
        return killed;
    }

    private async Task<SoakRunResult> CompareAsync(bool ended, SoakProgram program)
    {
        var missing = ReportWriters.All.Select(writer => writer.FileName).Append("ended.json").Where(
            name => new FileInfo(Path.Combine(RunFolder, name)) is not { Exists: true, Length: > 0 }).ToList();
        if (!ended || missing.Count > 0)
            return NotFinished(
                $"{(ended ? $"exit code {program.ExitCode}" : "no end")}, without {string.Join(", ", missing)}: {program.Text}");

        var report = JsonReportWriter.Read(await File.ReadAllBytesAsync(Path.Combine(RunFolder, RunFiles.ReportName)));
        var ledger = await SoakAccount.ReadLedgerAsync(account, $"run-{spec.Id}");
        if (report.State != RunState.Complete || ledger.ContainersLeft > 0)
            return NotFinished($"{report.State}, {ledger.ContainersLeft} containers left: {string.Join(" ", report.Warnings)}");

        var (lost, twice) = Differences(report, ledger);
        return new SoakRunResult(
            _killed, lost, twice, Finished: true, lost + twice == 0 ? null : $"{report.Documents}, lost legs {report.LostLegs}, {ledger}");
    }

    /// <summary>What the ledger and the report have less or more of than was asked, and the report more than the ledger.</summary>
    private (long Lost, long Double) Differences(RunReport report, SoakAccount.Ledger ledger)
    {
        var kind = spec.Workload.Kind;
        var reported = report.Documents.Inserted + report.Documents.AlreadyPresent;
        var preloaded = kind.NeedsDocuments() ? spec.Workload.PreloadOf(spec.Documents) : 0;
        var differences =
            new List<long> { reported - spec.Documents, ledger.Created - (kind.NeedsDocuments() ? preloaded : spec.Documents) };
        if (kind == WorkloadKind.Delete)
            differences.Add(ledger.Deleted - spec.Documents);
        if (report.LostLegs == 0 && !kind.LeavesCount())
            differences.Add(report.Documents.Inserted - (kind == WorkloadKind.Delete ? ledger.Deleted : ledger.Created));
        return (-differences.Where(difference => difference < 0).Sum(), differences.Where(difference => difference > 0).Sum());
    }

    private SoakRunResult NotFinished(string error) => new(_killed, Lost: 0, Double: 0, Finished: false, error);
}
