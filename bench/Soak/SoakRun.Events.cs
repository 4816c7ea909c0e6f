using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Evidence;
using ScaleOut.Json;
using ScaleOut.Simulator.Engine.Ledger;

namespace ScaleOut.Bench.Soak;

/// <content>What happens to the run, and what must be reported of it.</content>
internal sealed partial class SoakRun
{
    private const int MaxFreezeMs = 8_000;
    private const int MaxFullMs = 20_000;

    /// <summary>Twice the time after which a worker gives up that loses one leg after the other: legs take time too.</summary>
    private static readonly TimeSpan AllLegsLost = TimeSpan.FromMinutes(15);

    /// <summary>A program with fewer threads cannot start, and one with more can do all of its work.</summary>
    private const int MinThreads = 4;
    private const int MaxThreads = 90;
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

    /// <summary>Time in which a program notices that the folder of its run is gone, and ends.</summary>
    private static readonly TimeSpan FolderGoneTimeout = TimeSpan.FromSeconds(30);

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
            case SoakTarget.ThreadsOfGroup or SoakTarget.ThreadsOfUser:
                await LimitThreadsAsync(target, random.Next(MinThreads, MaxThreads));
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

    /// <summary>Resumes the run with few threads. It may end well or not, but it must end, and say why it did not end well.</summary>
    private async Task LimitThreadsAsync(SoakTarget target, int threads)
    {
        var program = Start(
            account?.Ready.Key, ["resume", spec.Id!],
            target == SoakTarget.ThreadsOfGroup ? SoakLimits.OfGroup(spec.Id!, threads) : SoakLimits.OfUser(Folder, threads));
        var ended = await program.EndsAsync(AllLegsLost);
        _happened.Add(target);
        if (!ended || (program.ExitCode != 0 && program.Text.Trim().Length == 0))
            _wrong.Add($"{target}, {threads} threads: {(ended ? $"exit code {program.ExitCode}" : "no end")}: {program.Text}");
        await EndAsync(program);
        SoakLimits.RemoveGroup(spec.Id!);
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

    /// <summary>
    /// Hashes of the files that a run stores, without logs, the lock, unfinished files, and the request to stop, which a resume withdraws.
    /// </summary>
    private Dictionary<string, string> Kept() =>
        Directory.EnumerateFiles(RunFolder, "*", SearchOption.AllDirectories)
            .Where(file => !file.Contains("/logs/", StringComparison.Ordinal) && Path.GetFileName(file) is not ("lock" or "stop")
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
            case SoakTarget.FrozenWorker or SoakTarget.FrozenLargeSpec:
                return Note(target, program.TryFreezeWorker(random));
            case SoakTarget.FrozenAccount:
                return Note(target, await TryFreezeAccountAsync(random));
            case SoakTarget.GoneFolder:
                return Note(target, await TryMoveFolderAsync(program));
            case SoakTarget.FullDisk:
                await _disk!.FillAsync(TimeSpan.FromMilliseconds(random.Next(500, MaxFullMs)));
                return Note(target, happened: true);
            case SoakTarget.ClosedOutput:
                program.CloseOutput();
                return Note(target, happened: true);
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

    /// <summary>Freezes the account for a time that is shorter than what ends a leg.</summary>
    private async Task<bool> TryFreezeAccountAsync(Random random)
    {
        if (account is null && !File.Exists(PathOf(AccountName)))
            return false;
        var id = account?.Id ?? await AccountIdAsync(RunFolder);
        return await SoakProgram.TryFreezeAsync(id, TimeSpan.FromMilliseconds(random.Next(500, MaxFreezeMs)));
    }

    private static async Task<int> AccountIdAsync(string runFolder) =>
        JsonNode.Parse(await File.ReadAllBytesAsync(Path.Combine(runFolder, AccountName)))!["processId"]!.GetValue<int>();

    /// <summary>
    /// Moves the run's folder away, and waits until the program has ended. It must name the folder, or the run if it had not read anything
    /// of it. The folder of a run whose account is still there comes back.
    /// </summary>
    private async Task<bool> TryMoveFolderAsync(SoakProgram program)
    {
        var away = $"{RunFolder}-moved";
        var named = Path.GetRelativePath(Folder, RunFolder);
        Directory.Move(RunFolder, away);
        var ended = await program.EndsAsync(FolderGoneTimeout);
        var isNamed = program.Text.Contains(named, StringComparison.Ordinal)
            || program.Text.Contains($"there is no run '{Path.GetFileName(RunFolder)}'", StringComparison.Ordinal);
        // The program may have done all its work before the folder was gone.
        var isDone = program.ExitCode == 0 && File.Exists(Path.Combine(away, SoakKill.EndedName));
        if (!ended || (!isDone && (program.ExitCode == 0 || (program.IsHeard && !isNamed))))
        {
            _wrong.Add($"{SoakTarget.GoneFolder}: {(ended ? $"exit code {program.ExitCode}" : $"no end within {FolderGoneTimeout}")}: "
                + program.Text);
        }

        if (account is null)
        {
            if (File.Exists(Path.Combine(away, AccountName)) && SoakProgram.IsAlive(await AccountIdAsync(away)))
                _wrong.Add($"{SoakTarget.GoneFolder}: the account is left: {program.Text}");
            return true;
        }

        if (Directory.Exists(RunFolder))
        {
            var made = Directory.EnumerateFiles(RunFolder, "*", SearchOption.AllDirectories).Select(Path.GetFileName);
            _wrong.Add($"{SoakTarget.GoneFolder}: the folder was made again, with {string.Join(", ", made)}: {program.Text}");
            Directory.Delete(RunFolder, recursive: true);
        }

        Directory.Move(away, RunFolder);
        return true;
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
}
