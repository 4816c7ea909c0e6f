using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.DevBox.Runs;
using ScaleOut.Evidence;
using ScaleOut.Json;
using ScaleOut.Simulator.Engine.Ledger;

namespace ScaleOut.Bench.Soak;

/// <summary>The result of one run of a soak.</summary>
/// <param name="Happened">The events that happened to the run.</param>
/// <param name="Lost">Number of documents that are missing in the account or in the report.</param>
/// <param name="Double">Number of documents that the account or the report has too many of.</param>
/// <param name="Error">Why the run did not finish, or what differs. Null if nothing does.</param>
/// <param name="Finished">Whether the run ended with everything that belongs to its end.</param>
/// <param name="ContainersLeft">Number of the run's containers that still exist.</param>
/// <param name="Wrong">Changes by a resume that could not go on, and damage that was not reported.</param>
internal sealed record SoakRunResult(
    IReadOnlyList<SoakTarget> Happened, long Lost, long Double, bool Finished, int ContainersLeft, IReadOnlyList<string> Wrong,
    string? Error);

/// <summary>
/// One small run to which several events happen. It is resumed until it ends, and then compared with the account's ledger.
/// </summary>
/// <param name="account">The account of the run. Null for a simulated account of its own.</param>
internal sealed partial class SoakRun(string soakFolder, RunSpec spec, ServerProcess<SoakAccount.Reached>? account)
{
    private const int MaxResumes = 5;
    private const string AccountName = "account.json";

    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    private readonly List<SoakTarget> _happened = [];
    private readonly List<string> _wrong = [];

    /// <summary>Output of all programs before the present one.</summary>
    private readonly StringBuilder _said = new();

    private readonly SoakDisk? _disk = SoakDisk.Mount(Path.Combine(soakFolder, spec.Id!));

    private Dictionary<string, string> _clock = [];

    /// <summary>Ledger of the run's own account, read before that account was killed.</summary>
    private SoakAccount.Ledger? _lastLedger;

    /// <summary>The folder in which the programs of this run work, on a disk of its own where that is possible.</summary>
    private string Folder => Path.Combine(soakFolder, spec.Id!);

    private string RunFolder => Path.Combine(Folder, "runs", spec.Id!);

    /// <summary>Starts the run, lets the events happen, and compares the result with the ledger.</summary>
    /// <param name="before">Events of the runs before.</param>
    /// <param name="isLarge">Whether the spec is longer than what a pipe holds.</param>
    /// <param name="random">Decides what happens to this run.</param>
    public async Task<SoakRunResult> RunAsync(IReadOnlyCollection<SoakTarget> before, bool isLarge, Random random)
    {
        using var disk = _disk;
        var kills = SoakKill.Plan(random, before, account is null, isLarge);
        var plan = Path.Combine(Folder, $"{spec.Id}.json");
        await File.WriteAllBytesAsync(plan, JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact));
        var program = account is null
            ? Start("run", plan)
            : Start("run", plan, "--account", account.Ready.Endpoint.AbsoluteUri, "--account-thumbprint", account.Ready.Thumbprint);
        try
        {
            foreach (var kill in kills)
            {
                if (!await IsDueAsync(kill, program) || !await KillAsync(kill.Target, program, random) || kill.LeavesTheProgram)
                    continue;
                if (account is null && kill.Target == SoakTarget.GoneFolder)
                    // Its documents were those of its own account, which ended with it.
                    return new SoakRunResult(_happened, Lost: 0, Double: 0, Finished: true, ContainersLeft: 0, _wrong, Error: null);
                await EndAsync(program);
                await BeforeResumeAsync(kill.Target, random);
                program = Start("resume", spec.Id!);
            }

            var ended = await program.EndsAsync(TransientRetry);
            for (var resumes = 0; !HasEnded && resumes < MaxResumes; resumes++)
            {
                await EndAsync(program);
                program = Start("resume", spec.Id!);
                ended = await program.EndsAsync(TransientRetry);
            }

            if (HasEnded && random.Next(3) == 0)
            {
                await EndAsync(program);
                if (SoakKill.ChooseOfEndedRun(random, before) == SoakTarget.DamagedEnded)
                    await DamageAsync(SoakTarget.DamagedEnded, SoakKill.EndedName);
                else
                    await EditReportAsync();
                program = Start("resume", spec.Id!);
                ended = await program.EndsAsync(TransientRetry);
            }

            _said.Append(program.Text);
            // What a program says after its output was closed is lost.
            var isHeard = !_happened.Contains(SoakTarget.ClosedOutput);
            if (isHeard && _happened.Contains(SoakTarget.LostAccount) && !Says("the account's ledger agrees")
                && !Says("account's ledger: "))
                _wrong.Add($"nothing was said of an account that was lost: {_said}");
            if (isHeard && _happened.Contains(SoakTarget.DamagedLeg) && !Says($"{spec.Id}/{LegNames.Result(0, 1)} is damaged: "))
                _wrong.Add($"nothing was said of a leg's result that was damaged: {_said}");
            return await CompareAsync(ended, program);
        }
        finally
        {
            program.Dispose();
        }
    }

    private bool HasEnded => File.Exists(PathOf(SoakKill.EndedName));

    private string PathOf(string item) => Path.Combine(RunFolder, item);

    private bool Says(string text) => _said.ToString().Contains(text, StringComparison.Ordinal);

    private SoakProgram Start(params string[] arguments) => Start(account?.Ready.Key, arguments);

    private SoakProgram Start(string? key, string[] arguments, params IReadOnlyList<string> before)
    {
        var environment = new Dictionary<string, string>(_clock);
        if (key is not null)
            environment[SoakProgram.KeyVariable] = key;
        return SoakProgram.Start(Folder, environment, before, arguments);
    }

    private async Task EndAsync(SoakProgram program)
    {
        await program.EndsAsync(TransientRetry);
        _said.Append(program.Text);
        program.Dispose();
    }

    private async Task<SoakRunResult> CompareAsync(bool ended, SoakProgram program)
    {
        var missing = RunForms.Kind.Forms.Select(form => form.FileName).Append(SoakKill.EndedName).Where(
            name => new FileInfo(Path.Combine(RunFolder, name)) is not { Exists: true, Length: > 0 }).ToList();
        if (!ended || missing.Count > 0)
            return NotFinished(
                $"{(ended ? $"exit code {program.ExitCode}" : "no end")}, without {string.Join(", ", missing)}: {program.Text}");

        var report = RunForms.Kind.Read(await File.ReadAllBytesAsync(Path.Combine(RunFolder, JobFiles.ReportName)));
        if ((account is null ? ReadOwnLedger() : await SoakAccount.ReadLedgerAsync(account, $"run-{spec.Id}")) is not { } ledger)
            return NotFinished($"there is no ledger: {program.Text}");
        // If the clock was set, the times of a run may contradict each other. The run then claims no rate and is not complete.
        var isTimeInDoubt = report.State == RunState.Incomplete && _happened.Contains(SoakTarget.ClockStep)
            && report.Warnings.Any(warning => warning.StartsWith("The run's times cannot be right", StringComparison.Ordinal));
        // A program whose output nobody reads stops its run.
        var isStopped = report.State == RunState.Stopped && _happened.Contains(SoakTarget.ClosedOutput);
        // A program with few threads may not reach the account. A run that cannot start writes nothing, says why and has ended.
        var isNotStarted = report.State == RunState.Failed && ledger is { Created: 0, ContainersLeft: 0 }
            && (_happened.Contains(SoakTarget.ThreadsOfGroup) || _happened.Contains(SoakTarget.ThreadsOfUser))
            && report.Warnings.Any(warning => warning.StartsWith("The run could not start", StringComparison.Ordinal));
        if (isNotStarted)
            return new SoakRunResult(_happened, Lost: 0, Double: 0, Finished: true, ContainersLeft: 0, _wrong, Error: null);
        if ((report.State != RunState.Complete && !isTimeInDoubt && !isStopped) || ledger.ContainersLeft > 0)
            return NotFinished($"{report.State}, {ledger.ContainersLeft} containers left: {string.Join(" ", report.Warnings)}")
                with
            {
                ContainersLeft = ledger.ContainersLeft,
            };

        var (lost, twice) = Differences(report, ledger);
        return new SoakRunResult(
            _happened, lost, twice, Finished: true, ContainersLeft: 0, _wrong,
            lost + twice == 0 ? null : $"{report.Documents}, lost legs {report.LostLegs}, {ledger}");
    }

    /// <summary>The ledger of the run's own account. Its container ends with the account. Null if there is no ledger.</summary>
    private SoakAccount.Ledger? ReadOwnLedger()
    {
        var ledger = File.Exists(PathOf(SoakKill.LedgerName)) ? LedgerOf(File.ReadAllBytes(PathOf(SoakKill.LedgerName))) : _lastLedger;
        return ledger is null ? null : ledger with { ContainersLeft = 0 };
    }

    private SoakAccount.Ledger LedgerOf(byte[] content) => SoakAccount.LedgerOf(
        StoredItem.Read<AccountLedger>($"{spec.Id}/{SoakKill.LedgerName}", content, ScaleOutJson.Indented), $"run-{spec.Id}");

    /// <summary>Number of documents that the account must create, for the run itself or before it.</summary>
    private long Created => spec.Workload.Mix is null && spec.Workload.NeedsDocuments
        ? spec.Workload.PreloadOf(spec.Documents) + (spec.Documents * spec.Workload.WrittenByAction)
        : spec.Documents;

    private long Deleted => spec.Workload.Mix is { } mix
        ? MixPattern.For(mix).CountOf(spec.Documents, kind => kind == WorkloadKind.Delete)
        : spec.Workload.Kind == WorkloadKind.Delete ? spec.Documents : 0;

    /// <summary>The numbers of missing and of surplus documents in the ledger and the report.</summary>
    private (long Lost, long Double) Differences(RunReport report, SoakAccount.Ledger ledger)
    {
        var kind = spec.Workload.Kind;
        // Of a stopped run what was done is known, and that none of it was done twice.
        if (report.State == RunState.Stopped)
        {
            var writes = spec.Workload.Mix is null && !spec.Workload.NeedsDocuments;
            return (0, Math.Max(0, ledger.Created - Created) + (writes ? Math.Max(0, report.Documents.Inserted - ledger.Created) : 0));
        }

        var reported = report.Documents.Inserted + report.Documents.AlreadyPresent;
        var differences = new List<long> { reported - spec.Documents, ledger.Created - Created, ledger.Deleted - Deleted };
        if (report.LostLegs == 0 && !kind.LeavesCount() && !spec.Workload.HasSeveralKinds)
            differences.Add(report.Documents.Inserted - (kind == WorkloadKind.Delete ? ledger.Deleted : ledger.Created));
        return (-differences.Where(difference => difference < 0).Sum(), differences.Where(difference => difference > 0).Sum());
    }

    private SoakRunResult NotFinished(string error) =>
        new(_happened, Lost: 0, Double: 0, Finished: false, ContainersLeft: 0, _wrong, $"after {string.Join(", ", _happened)}: {error}");
}
