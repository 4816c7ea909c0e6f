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
/// <param name="Happened">What happened to it.</param>
/// <param name="Lost">Documents that the account, or the report, has too few of.</param>
/// <param name="Double">Documents that the account, or the report, has too many of.</param>
/// <param name="Error">Why it did not finish, or what differs; null when nothing does.</param>
/// <param name="Finished">Whether it came to its end with everything that belongs to it.</param>
/// <param name="ContainersLeft">Containers of it that are still there.</param>
/// <param name="Wrong">What a resume changed although it could not go on, and damage of which nothing was said.</param>
internal sealed record SoakRunResult(
    IReadOnlyList<SoakTarget> Happened, long Lost, long Double, bool Finished, int ContainersLeft, IReadOnlyList<string> Wrong,
    string? Error);

/// <summary>
/// One small run to which several things happen, and which is resumed until it ends and then compared with the account's ledger.
/// </summary>
/// <param name="folder">Of the soak.</param>
/// <param name="spec">The run's.</param>
/// <param name="account">Where it goes; null for a simulated account of its own.</param>
internal sealed class SoakRun(string folder, RunSpec spec, ServerProcess<SoakAccount.Reached>? account)
{
    private const int MaxResumes = 5;
    private const string AccountName = "account.json";
    private const string SumsName = "report-checksums.json";
    private const string PageName = "report.html";

    /// <summary>The result that is damaged, and its copy that is set aside by whoever reads it first.</summary>
    private const string DamagedResults = "legs/0000/000001/result";

    /// <summary>What the report of a run that could not start says differently each time it could not.</summary>
    private static readonly string[] NoFigures = ["warnings", "startedAt", "finishedAt", "checksum"];

    /// <summary>Time that workers have to notice that their program is gone.</summary>
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    private readonly List<SoakTarget> _happened = [];
    private readonly List<string> _wrong = [];

    /// <summary>What all programs before the present one wrote.</summary>
    private readonly StringBuilder _said = new();

    private Dictionary<string, string> _clock = [];

    /// <summary>What the run's own account said of its container before it was killed.</summary>
    private SoakAccount.Ledger? _lastLedger;

    private string RunFolder => Path.Combine(folder, "runs", spec.Id!);

    /// <summary>Runs it.</summary>
    /// <param name="before">What happened to the runs before.</param>
    /// <param name="random">Decides what happens to this one.</param>
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
                if (!await IsDueAsync(kill, program) || !await KillAsync(kill.Target, program, random)
                    || kill.Target is SoakTarget.Worker or SoakTarget.Connections or SoakTarget.LostAccount or SoakTarget.DamagedLeg)
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

    /// <summary>Resumes in a way that cannot succeed while there is something to do: nothing that is kept may change.</summary>
    private async Task FailAsync(SoakTarget target, string? key)
    {
        if (!File.Exists(PathOf(RunFiles.SpecName)))
            return;
        await Task.Delay(LastWords);
        var before = Kept();
        var figures = await ReadFiguresAsync();
        var program = Start(key, ["resume", spec.Id!]);
        await EndAsync(program);
        var after = Kept();
        _happened.Add(target);
        // A run without a container could not start: that is its report until it can. The report of a run with an ending is made of that
        // ending, and says as well that the container could not be deleted.
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

    /// <summary>The report without what it says of its times and of its making; null if there is none.</summary>
    private async Task<string?> ReadFiguresAsync()
    {
        if (!File.Exists(PathOf(JobFiles.ReportName)))
            return null;
        var report = JsonNode.Parse(await File.ReadAllBytesAsync(PathOf(JobFiles.ReportName)))!.AsObject();
        foreach (var name in NoFigures)
            report.Remove(name);
        return report.ToJsonString();
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
        _happened.Add(target);
        // The ledger of an account that goes on is read again. Then it says what it said.
        if (!program.Text.Contains(item, StringComparison.Ordinal) && !(target == SoakTarget.DamagedLedger && IsLedger(content)))
            _wrong.Add($"{target}: nothing was said of it: {program.Text}");
        if (File.Exists(PathOf(item)) && (await File.ReadAllBytesAsync(PathOf(item))).AsSpan().SequenceEqual(damaged))
            await File.WriteAllBytesAsync(PathOf(item), content);
    }

    /// <summary>Whether the ledger that the run's own account left says the same of the container as this one.</summary>
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

    /// <summary>Edits the page of a run that has ended, and deletes the checksums: a resume must say so, and make the page again.</summary>
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
        switch (target)
        {
            case SoakTarget.Worker:
                return Note(target, program.TryKillWorker(random));
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
    /// Cuts the first worker's first result short, unless the second leg has ended: the report may be made then, and nobody reads legs any
    /// more. The run must end without its end, and a resume must run the leg again.
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

    /// <summary>Kills the run's own account, which may be older than the program, when it has said what it has counted.</summary>
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
        // Where the clock was set, the times of a run may contradict each other: it claims no rate then, and is not complete.
        var isTimeInDoubt = report.State == RunState.Incomplete && _happened.Contains(SoakTarget.ClockStep)
            && report.Warnings.Any(warning => warning.StartsWith("The run's times cannot be right", StringComparison.Ordinal));
        if ((report.State != RunState.Complete && !isTimeInDoubt) || ledger.ContainersLeft > 0)
            return NotFinished($"{report.State}, {ledger.ContainersLeft} containers left: {string.Join(" ", report.Warnings)}") with
            {
                ContainersLeft = ledger.ContainersLeft,
            };

        var (lost, twice) = Differences(report, ledger);
        return new SoakRunResult(
            _happened, lost, twice, Finished: true, ContainersLeft: 0, _wrong,
            lost + twice == 0 ? null : $"{report.Documents}, lost legs {report.LostLegs}, {ledger}");
    }

    /// <summary>The ledger of the run's own account, whose container ends with it; null if it has none.</summary>
    private SoakAccount.Ledger? ReadOwnLedger()
    {
        var ledger = File.Exists(PathOf(SoakKill.LedgerName)) ? LedgerOf(File.ReadAllBytes(PathOf(SoakKill.LedgerName))) : _lastLedger;
        return ledger is null ? null : ledger with { ContainersLeft = 0 };
    }

    private SoakAccount.Ledger LedgerOf(byte[] content) => SoakAccount.LedgerOf(
        StoredItem.Read<AccountLedger>($"{spec.Id}/{SoakKill.LedgerName}", content, ScaleOutJson.Indented), $"run-{spec.Id}");

    /// <summary>Documents that are to be made, by the run itself or before it.</summary>
    private long Created => spec.Workload.Mix is null && spec.Workload.NeedsDocuments
        ? spec.Workload.PreloadOf(spec.Documents)
        : spec.Documents;

    private long Deleted => spec.Workload.Mix is { } mix
        ? MixPattern.For(mix).CountOf(spec.Documents, kind => kind == WorkloadKind.Delete)
        : spec.Workload.Kind == WorkloadKind.Delete ? spec.Documents : 0;

    /// <summary>What the ledger and the report have less or more of than was asked, and the report more than the ledger.</summary>
    private (long Lost, long Double) Differences(RunReport report, SoakAccount.Ledger ledger)
    {
        var kind = spec.Workload.Kind;
        var reported = report.Documents.Inserted + report.Documents.AlreadyPresent;
        var differences = new List<long> { reported - spec.Documents, ledger.Created - Created };
        differences.Add(ledger.Deleted - Deleted);
        if (report.LostLegs == 0 && !kind.LeavesCount() && kind != WorkloadKind.Mix)
            differences.Add(report.Documents.Inserted - (kind == WorkloadKind.Delete ? ledger.Deleted : ledger.Created));
        return (-differences.Where(difference => difference < 0).Sum(), differences.Where(difference => difference > 0).Sum());
    }

    private SoakRunResult NotFinished(string error) =>
        new(_happened, Lost: 0, Double: 0, Finished: false, ContainersLeft: 0, _wrong, error);
}
