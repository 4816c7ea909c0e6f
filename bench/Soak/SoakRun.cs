using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.DevBox.Runs;
using ScaleOut.Evidence;
using ScaleOut.Json;
using ScaleOut.Simulator.Engine.Ledger;

namespace ScaleOut.Bench.Soak;

/// <summary>What came of a run of a soak.</summary>
/// <param name="Killed">What was killed.</param>
/// <param name="Lost">Documents that the account, or the report, has too few of.</param>
/// <param name="Double">Documents that the account, or the report, has too many of.</param>
/// <param name="Error">Why it did not finish, or what differs; null when nothing does.</param>
/// <param name="Finished">Whether it came to its end with everything that belongs to it.</param>
/// <param name="Wrong">What a resume changed although it could not go on, and damage of which nothing was said.</param>
internal sealed record SoakRunResult(
    IReadOnlyList<SoakTarget> Killed, long Lost, long Double, bool Finished, IReadOnlyList<string> Wrong, string? Error);

/// <summary>
/// One small run to which several things happen, and which is resumed until it ends and then compared with the account's ledger.
/// </summary>
/// <param name="folder">Of the soak.</param>
/// <param name="spec">The run's.</param>
/// <param name="account">Where it goes; null for a simulated account of its own.</param>
internal sealed class SoakRun(string folder, RunSpec spec, ServerProcess<SoakAccount.Reached>? account)
{
    private const int MostResumes = 5;

    private const string AccountName = "account.json";

    /// <summary>Time that workers have to notice that their program is gone.</summary>
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    private readonly List<SoakTarget> _killed = [];
    private readonly List<string> _wrong = [];

    /// <summary>What all programs before the present one wrote.</summary>
    private readonly StringBuilder _said = new();

    private Dictionary<string, string> _clock = [];

    private string RunFolder => Path.Combine(folder, "runs", spec.Id!);

    /// <summary>Runs it.</summary>
    public async Task<SoakRunResult> RunAsync(IReadOnlyList<SoakKill> kills, Random random)
    {
        var plan = Path.Combine(folder, $"{spec.Id}.json");
        await File.WriteAllBytesAsync(plan, JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact));
        var program = account is null
            ? Start("run", plan)
            : Start("run", plan, "--account", account.Ready.Endpoint.AbsoluteUri, "--account-thumbprint", account.Ready.Thumbprint);
        try
        {
            foreach (var kill in kills)
            {
                if (!await IsDueAsync(kill, program) || !await KillAsync(kill.Target, program, random)
                    || kill.Target is SoakTarget.Worker or SoakTarget.Connections or SoakTarget.LostAccount)
                    continue;
                await EndAsync(program);
                await BeforeResumeAsync(kill.Target, random);
                program = Start("resume", spec.Id!);
            }

            var ended = await program.EndsAsync(TransientRetry);
            for (var resumes = 0; !HasEnded && resumes < MostResumes; resumes++)
            {
                await EndAsync(program);
                program = Start("resume", spec.Id!);
                ended = await program.EndsAsync(TransientRetry);
            }

            if (HasEnded && random.Next(3) == 0)
            {
                await EndAsync(program);
                await DamageAsync(SoakTarget.DamagedEnded, SoakKill.EndedName);
                program = Start("resume", spec.Id!);
                ended = await program.EndsAsync(TransientRetry);
            }

            _said.Append(program.Text);
            if (_killed.Contains(SoakTarget.LostAccount) && !Says("the account's ledger agrees") && !Says("account's ledger: "))
                _wrong.Add($"nothing was said of an account that was lost: {_said}");
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

    private SoakProgram Start(string? key, string[] arguments)
    {
        var environment = new Dictionary<string, string>(_clock);
        if (key is not null)
            environment[SoakProgram.KeyVariable] = key;
        return SoakProgram.Start(folder, environment, arguments);
    }

    private async Task EndAsync(SoakProgram program)
    {
        await program.EndsAsync(TransientRetry);
        _said.Append(program.Text);
        program.Dispose();
    }

    /// <summary>What happens between the death of a program and the resume that is to go on.</summary>
    private async Task BeforeResumeAsync(SoakTarget target, Random random)
    {
        switch (target)
        {
            case SoakTarget.NoKey:
                await FailAsync(target, key: null);
                break;
            case SoakTarget.WrongKey:
                await FailAsync(target, Convert.ToBase64String(Encoding.UTF8.GetBytes("wrong")));
                break;
            case SoakTarget.ClosedPort when File.Exists(PathOf(AccountName)):
                var content = await File.ReadAllBytesAsync(PathOf(AccountName));
                var closed = JsonNode.Parse(content)!;
                closed["endpoint"] = "https://127.0.0.1:1/";
                await File.WriteAllTextAsync(PathOf(AccountName), closed.ToJsonString());
                await FailAsync(target, account!.Ready.Key);
                await File.WriteAllBytesAsync(PathOf(AccountName), content);
                break;
            case SoakTarget.ClockStep:
                _clock = SoakClock.Set(TimeSpan.FromSeconds(random.Next(-300, 300)));
                break;
            case SoakTarget.DamagedEnding:
                await DamageAsync(target, RunFiles.EndingName);
                break;
            case SoakTarget.DamagedLedger:
                await DamageAsync(target, SoakKill.LedgerName);
                break;
        }
    }

    /// <summary>Resumes in a way that cannot succeed while there is something to do: nothing that is kept may change.</summary>
    private async Task FailAsync(SoakTarget target, string? key)
    {
        await Task.Delay(LastWords);
        var before = Kept();
        var program = Start(key, ["resume", spec.Id!]);
        await EndAsync(program);
        var after = Kept();
        // A run without a container could not start: that is its report until it can. The report of a run with an ending is made of that
        // ending, and says as well that the container could not be deleted.
        var isReportMade = !before.ContainsKey(RunFiles.PreparedName) || before.ContainsKey(RunFiles.EndingName);
        var changed = before.Keys.Where(name => before[name] != after.GetValueOrDefault(name))
            .Where(name => !isReportMade || !name.StartsWith("report", StringComparison.Ordinal)).ToList();
        if (changed.Count > 0 || program.Text.Trim().Length == 0)
            _wrong.Add($"{target} changed {string.Join(", ", changed)}: {program.Text}");
    }

    /// <summary>Damages an item, if it is there, and resumes: that must name it. Where that mends nothing, it is restored.</summary>
    private async Task DamageAsync(SoakTarget target, string item)
    {
        if (!File.Exists(PathOf(item)))
            return;
        var content = await File.ReadAllBytesAsync(PathOf(item));
        var damaged = content[..(content.Length / 2)];
        await File.WriteAllBytesAsync(PathOf(item), damaged);
        var program = Start("resume", spec.Id!);
        await EndAsync(program);
        // The ledger of an account that goes on is read again.
        if (!program.Text.Contains(item, StringComparison.Ordinal) && !program.Text.Contains("ledger agrees", StringComparison.Ordinal))
            _wrong.Add($"{target}: nothing was said of it: {program.Text}");
        if (File.Exists(PathOf(item)) && (await File.ReadAllBytesAsync(PathOf(item))).AsSpan().SequenceEqual(damaged))
            await File.WriteAllBytesAsync(PathOf(item), content);
        if (target == SoakTarget.DamagedEnded)
            _killed.Add(target);
    }

    /// <summary>The sums of what a run keeps, without its logs, its lock and files that were never finished.</summary>
    private Dictionary<string, string> Kept() =>
        Directory.EnumerateFiles(RunFolder, "*", SearchOption.AllDirectories)
            .Where(file => !file.Contains("/logs/", StringComparison.Ordinal) && Path.GetFileName(file) != "lock"
                && !file.Contains(".tmp-", StringComparison.Ordinal))
            .ToDictionary(
                file => Path.GetRelativePath(RunFolder, file), file => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file))));

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
            case SoakTarget.Connections:
                killed = await SoakAccount.CutAsync(account!) > 0;
                break;
            case SoakTarget.LostAccount:
                killed = !File.Exists(PathOf(SoakKill.LedgerName)) && await TryKillAccountAsync();
                break;
            case SoakTarget.ClockStep when !SoakClock.CanBeSet:
                return false;
            default:
                program.KillAll();
                break;
        }

        if (killed)
            _killed.Add(target);
        return killed;
    }

    /// <summary>Kills the run's own account, which may be older than the program.</summary>
    private async Task<bool> TryKillAccountAsync() =>
        JsonNode.Parse(await File.ReadAllBytesAsync(PathOf(AccountName)))?["processId"]?.GetValue<int>() is { } id
        && SoakProgram.TryKill(id);

    private async Task<SoakRunResult> CompareAsync(bool ended, SoakProgram program)
    {
        var missing = RunForms.Kind.Forms.Select(form => form.FileName).Append("ended.json").Where(
            name => new FileInfo(Path.Combine(RunFolder, name)) is not { Exists: true, Length: > 0 }).ToList();
        if (!ended || missing.Count > 0)
            return NotFinished(
                $"{(ended ? $"exit code {program.ExitCode}" : "no end")}, without {string.Join(", ", missing)}: {program.Text}");

        var report = RunForms.Kind.Read(await File.ReadAllBytesAsync(Path.Combine(RunFolder, RunFiles.ReportName)));
        var ledger = account is null
            ? await ReadOwnLedgerAsync() ?? new SoakAccount.Ledger(Created, spec.Documents, ContainersLeft: 0)
            : await SoakAccount.ReadLedgerAsync(account, $"run-{spec.Id}");
        // Where the clock was set, the times of a run may contradict each other: it claims no rate then, and is not complete.
        var isTimeInDoubt = report.State == RunState.Incomplete && _killed.Contains(SoakTarget.ClockStep)
            && report.Warnings.Any(warning => warning.StartsWith("The run's times cannot be right", StringComparison.Ordinal));
        if ((report.State != RunState.Complete && !isTimeInDoubt) || ledger.ContainersLeft > 0)
            return NotFinished($"{report.State}, {ledger.ContainersLeft} containers left: {string.Join(" ", report.Warnings)}");

        var (lost, twice) = Differences(report, ledger);
        return new SoakRunResult(
            _killed, lost, twice, Finished: true, _wrong,
            lost + twice == 0 ? null : $"{report.Documents}, lost legs {report.LostLegs}, {ledger}");
    }

    /// <summary>
    /// The ledger that the run's own account left, whose container ends with it; null if the account was killed before.
    /// </summary>
    private async Task<SoakAccount.Ledger?> ReadOwnLedgerAsync() => File.Exists(PathOf(SoakKill.LedgerName))
        ? SoakAccount.LedgerOf(
            StoredItem.Read<AccountLedger>(
                $"{spec.Id}/{SoakKill.LedgerName}", await File.ReadAllBytesAsync(PathOf(SoakKill.LedgerName)), ScaleOutJson.Indented),
            $"run-{spec.Id}") with { ContainersLeft = 0 }
        : null;

    /// <summary>Documents that are to be made, by the run itself or before it.</summary>
    private long Created => spec.Workload.Kind.NeedsDocuments() ? spec.Workload.PreloadOf(spec.Documents) : spec.Documents;

    /// <summary>What the ledger and the report have less or more of than was asked, and the report more than the ledger.</summary>
    private (long Lost, long Double) Differences(RunReport report, SoakAccount.Ledger ledger)
    {
        var kind = spec.Workload.Kind;
        var reported = report.Documents.Inserted + report.Documents.AlreadyPresent;
        var differences = new List<long> { reported - spec.Documents, ledger.Created - Created };
        if (kind == WorkloadKind.Delete)
            differences.Add(ledger.Deleted - spec.Documents);
        if (account is not null && report.LostLegs == 0 && !kind.LeavesCount())
            differences.Add(report.Documents.Inserted - (kind == WorkloadKind.Delete ? ledger.Deleted : ledger.Created));
        return (-differences.Where(difference => difference < 0).Sum(), differences.Where(difference => difference > 0).Sum());
    }

    private SoakRunResult NotFinished(string error) => new(_killed, Lost: 0, Double: 0, Finished: false, _wrong, error);
}
