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
internal sealed class SoakRun(string folder, RunSpec spec, ServerProcess<SoakAccount.Reached>? account)
{
    private const int MaxResumes = 5;
    private const string AccountName = "account.json";
    private const string SumsName = "report-checksums.json";
    private const string PageName = "report.html";

    /// <summary>
    /// Start of the names of the result that is damaged and of its copy. The first reader of the result sets the copy aside.
    /// </summary>
    private const string DamagedResults = "legs/0000/000001/result";

    /// <summary>Fields of a report that are not compared. They change whenever a run that cannot start is resumed.</summary>
    private static readonly string[] NoFigures = ["warnings", "startedAt", "finishedAt", "checksum"];

    /// <summary>Time in which workers notice that their program is gone.</summary>
    private static readonly TimeSpan WorkerExitGrace = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    private readonly List<SoakTarget> _happened = [];
    private readonly List<string> _wrong = [];

    /// <summary>Output of all programs before the present one.</summary>
    private readonly StringBuilder _said = new();

    private Dictionary<string, string> _clock = [];

    /// <summary>Ledger of the run's own account, read before that account was killed.</summary>
    private SoakAccount.Ledger? _lastLedger;

    private string RunFolder => Path.Combine(folder, "runs", spec.Id!);

    /// <summary>Starts the run, lets the events happen, and compares the result with the ledger.</summary>
    /// <param name="before">Events of the runs before.</param>
    /// <param name="random">Decides what happens to this run.</param>
    public async Task<SoakRunResult> RunAsync(IReadOnlyCollection<SoakTarget> before, Random random)
    {
        var kills = SoakKill.Plan(random, before, account is null);
        var plan = Path.Combine(folder, $"{spec.Id}.json");
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
            if (_happened.Contains(SoakTarget.LostAccount) && !Says("the account's ledger agrees") && !Says("account's ledger: "))
                _wrong.Add($"nothing was said of an account that was lost: {_said}");
            if (_happened.Contains(SoakTarget.DamagedLeg) && !Says($"{spec.Id}/{LegNames.Result(0, 1)} is damaged: "))
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

    /// <summary>Does what comes between the death of a program and the resume that is to succeed.</summary>
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
                _happened.Add(target);
                break;
            case SoakTarget.DamagedEnding:
                await DamageAsync(target, RunFiles.EndingName);
                break;
            case SoakTarget.DamagedLedger:
                await DamageAsync(target, SoakKill.LedgerName);
                break;
            case SoakTarget.Program or SoakTarget.All:
                _happened.Add(target);
                break;
        }
    }

    /// <summary>Resumes the run in a way that cannot succeed while work remains. Nothing that is stored may change.</summary>
    private async Task FailAsync(SoakTarget target, string? key)
    {
        if (!File.Exists(PathOf(RunFiles.SpecName)))
            return;
        await Task.Delay(WorkerExitGrace);
        var before = Kept();
        var figures = await ReadFiguresAsync();
        var program = Start(key, ["resume", spec.Id!]);
        await EndAsync(program);
        var after = Kept();
        _happened.Add(target);
        // A run without a container could not start, and its report says so until it can. The report of a run with an ending is made from
        // that ending, and also says that the container could not be deleted.
        var isReportMade = !before.ContainsKey(RunFiles.PreparedName) || before.ContainsKey(RunFiles.EndingName);
        var changed = before.Keys.Where(name => before[name] != after.GetValueOrDefault(name))
            .Concat(isReportMade ? [] : after.Keys.Except(before.Keys))
            .Where(name => !isReportMade || !name.StartsWith("report", StringComparison.Ordinal))
            .Where(name => !_happened.Contains(SoakTarget.DamagedLeg) || !name.StartsWith(DamagedResults, StringComparison.Ordinal))
            .ToList();
        if (changed.Count > 0 || program.Text.Trim().Length == 0)
            _wrong.Add($"{target} changed {string.Join(", ", changed)}: {program.Text}");
        if (figures is not null && await ReadFiguresAsync() is var now && now != figures)
            _wrong.Add($"{target} changed the report's figures from {figures} to {now}");
    }

    /// <summary>The report without times, warnings and checksum. Null if there is none.</summary>
    private async Task<string?> ReadFiguresAsync()
    {
        if (!File.Exists(PathOf(JobFiles.ReportName)))
            return null;
        var report = JsonNode.Parse(await File.ReadAllBytesAsync(PathOf(JobFiles.ReportName)))!.AsObject();
        foreach (var name in NoFigures)
            report.Remove(name);
        return report.ToJsonString();
    }

    /// <summary>
    /// Damages an item, if it exists, and resumes the run. The resume must name the item. If the resume does not repair the item, it is
    /// restored.
    /// </summary>
    private async Task DamageAsync(SoakTarget target, string item)
    {
        if (!File.Exists(PathOf(item)))
            return;
        var content = await File.ReadAllBytesAsync(PathOf(item));
        var damaged = content[..(content.Length / 2)];
        await File.WriteAllBytesAsync(PathOf(item), damaged);
        var program = Start("resume", spec.Id!);
        await EndAsync(program);
        _happened.Add(target);
        // If the account still runs, its ledger is read again. The new ledger must have the same counts.
        if (!program.Text.Contains(item, StringComparison.Ordinal) && !(target == SoakTarget.DamagedLedger && IsLedger(content)))
            _wrong.Add($"{target}: nothing was said of it: {program.Text}");
        if (File.Exists(PathOf(item)) && (await File.ReadAllBytesAsync(PathOf(item))).AsSpan().SequenceEqual(damaged))
            await File.WriteAllBytesAsync(PathOf(item), content);
    }

    /// <summary>Whether the stored ledger of the run's own account has the same counts of the container as this one.</summary>
    private bool IsLedger(byte[] content)
    {
        try
        {
            return LedgerOf(File.ReadAllBytes(PathOf(SoakKill.LedgerName))) == LedgerOf(content);
        }
        catch (EvidenceException)
        {
            return false;
        }
    }

    /// <summary>
    /// Edits the page of a run that has ended and deletes the checksums. A resume must report that and write the page again.
    /// </summary>
    private async Task EditReportAsync()
    {
        var page = await File.ReadAllBytesAsync(PathOf(PageName));
        await File.WriteAllBytesAsync(PathOf(PageName), [.. page, (byte)' ']);
        File.Delete(PathOf(SumsName));
        var program = Start("resume", spec.Id!);
        await EndAsync(program);
        _happened.Add(SoakTarget.EditedReport);
        if (!program.Text.Contains(SumsName, StringComparison.Ordinal))
            _wrong.Add($"{SoakTarget.EditedReport}: nothing was said of it: {program.Text}");
        if (!File.Exists(PathOf(SumsName)) || !(await File.ReadAllBytesAsync(PathOf(PageName))).AsSpan().SequenceEqual(page))
            _wrong.Add($"{SoakTarget.EditedReport}: the page is not as it was: {program.Text}");
    }

    /// <summary>Hashes of the files that a run stores, without logs, the lock and unfinished files.</summary>
    private Dictionary<string, string> Kept() =>
        Directory.EnumerateFiles(RunFolder, "*", SearchOption.AllDirectories)
            .Where(file => !file.Contains("/logs/", StringComparison.Ordinal) && Path.GetFileName(file) != "lock"
                && !file.Contains(".tmp-", StringComparison.Ordinal))
            .ToDictionary(
                file => Path.GetRelativePath(RunFolder, file), file => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file))));

    /// <summary>Waits for the instant of an event. False if the program ends before it.</summary>
    private async Task<bool> IsDueAsync(SoakKill kill, SoakProgram program)
    {
        while (!File.Exists(Path.Combine(RunFolder, kill.After)) && !program.HasExited)
            await Task.Delay(Poll);
        var due = TimeProvider.System.GetTimestamp();
        while (TimeProvider.System.GetElapsedTime(due) < kill.Delay && !program.HasExited)
            await Task.Delay(Poll);
        return !program.HasExited;
    }

    /// <summary>Lets an event happen. False if there is nothing that it could happen to.</summary>
    private async Task<bool> KillAsync(SoakTarget target, SoakProgram program, Random random)
    {
        switch (target)
        {
            case SoakTarget.Worker:
                return Note(target, program.TryKillWorker(random));
            case SoakTarget.FrozenWorker:
                return Note(target, program.TryFreezeWorker(random));
            case SoakTarget.Connections:
                return Note(target, await SoakAccount.CutAsync(account!) > 0);
            case SoakTarget.LostAccount:
                return Note(target, !File.Exists(PathOf(SoakKill.LedgerName)) && await TryKillAccountAsync());
            case SoakTarget.DamagedLeg:
                return Note(target, await TryDamageLegAsync());
            case SoakTarget.Program:
                program.KillAlone();
                return true;
            default:
                program.KillAll();
                return true;
        }
    }

    private bool Note(SoakTarget target, bool happened)
    {
        if (happened)
            _happened.Add(target);
        return happened;
    }

    /// <summary>
    /// Cuts the first worker's first result short, unless the second leg has ended. The report may be written after that, and then nobody
    /// reads legs any more. The program must end without marking the run as ended, and a resume must run the leg again.
    /// </summary>
    private async Task<bool> TryDamageLegAsync()
    {
        var result = PathOf(LegNames.Result(0, 1));
        if (!File.Exists(result) || File.Exists(PathOf(LegNames.Result(0, 2))))
            return false;
        var content = await File.ReadAllBytesAsync(result);
        await File.WriteAllBytesAsync(result, content[..(content.Length / 2)]);
        return true;
    }

    /// <summary>Kills the run's own account after reading its ledger. The account may be older than the program.</summary>
    private async Task<bool> TryKillAccountAsync()
    {
        var file = JsonNode.Parse(await File.ReadAllBytesAsync(PathOf(AccountName)))!;
        try
        {
            using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false });
            var control = new Uri(file["controlEndpoint"]!.GetValue<string>());
            var ledger = await http.GetByteArrayAsync(new Uri(control, "ledger"));
            _lastLedger = SoakAccount.LedgerOf(JsonSerializer.Deserialize<AccountLedger>(ledger, ScaleOutJson.Compact)!, $"run-{spec.Id}");
        }
        catch (HttpRequestException)
        {
            return false;
        }

        return SoakProgram.TryKill(file["processId"]!.GetValue<int>());
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
        if ((report.State != RunState.Complete && !isTimeInDoubt) || ledger.ContainersLeft > 0)
            return NotFinished($"{report.State}, {ledger.ContainersLeft} containers left: {string.Join(" ", report.Warnings)}")
                with { ContainersLeft = ledger.ContainersLeft };

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
        ? spec.Workload.PreloadOf(spec.Documents)
        : spec.Documents;

    private long Deleted => spec.Workload.Mix is { } mix
        ? MixPattern.For(mix).CountOf(spec.Documents, kind => kind == WorkloadKind.Delete)
        : spec.Workload.Kind == WorkloadKind.Delete ? spec.Documents : 0;

    /// <summary>The numbers of missing and of surplus documents in the ledger and the report.</summary>
    private (long Lost, long Double) Differences(RunReport report, SoakAccount.Ledger ledger)
    {
        var kind = spec.Workload.Kind;
        var reported = report.Documents.Inserted + report.Documents.AlreadyPresent;
        var differences = new List<long> { reported - spec.Documents, ledger.Created - Created, ledger.Deleted - Deleted };
        if (report.LostLegs == 0 && !kind.LeavesCount() && kind != WorkloadKind.Mix)
            differences.Add(report.Documents.Inserted - (kind == WorkloadKind.Delete ? ledger.Deleted : ledger.Created));
        return (-differences.Where(difference => difference < 0).Sum(), differences.Where(difference => difference > 0).Sum());
    }

    private SoakRunResult NotFinished(string error) =>
        new(_happened, Lost: 0, Double: 0, Finished: false, ContainersLeft: 0, _wrong, error);
}
