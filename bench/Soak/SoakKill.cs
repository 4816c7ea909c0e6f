using ScaleOut.Analysis.Reports.Writers;

namespace ScaleOut.Bench.Soak;

/// <summary>What can happen to a run.</summary>
internal enum SoakTarget
{
    /// <summary>A worker's process is killed.</summary>
    Worker,

    /// <summary>A worker's process is frozen. The program must end it and run its leg again.</summary>
    FrozenWorker,

    /// <summary>A worker's process is frozen, and the spec is longer than what a pipe holds.</summary>
    FrozenLargeSpec,

    /// <summary>The account's process is frozen for seconds. The program must wait for it, and go on.</summary>
    FrozenAccount,

    /// <summary>
    /// The run's folder is moved away. The program must say so and end. The folder of a run of a shared account comes back before the
    /// resume; another run ends with its account.
    /// </summary>
    GoneFolder,

    /// <summary>The orchestrating program is killed.</summary>
    Program,

    /// <summary>The program and all of its workers are killed.</summary>
    All,

    /// <summary>The connections to the account are cut.</summary>
    Connections,

    /// <summary>The disk is full for seconds.</summary>
    FullDisk,

    /// <summary>Nobody reads the program's standard output any more. The program may end, or go on.</summary>
    ClosedOutput,

    /// <summary>The program and its workers are killed, and the first resume may have few threads (<c>pids.max</c>).</summary>
    ThreadsOfGroup,

    /// <summary>The program and its workers are killed, and the first resume may have few threads (<c>ulimit -u</c>).</summary>
    ThreadsOfUser,

    /// <summary>The program and its workers are killed, and the first resume has no key.</summary>
    NoKey,

    /// <summary>The program and its workers are killed, and the first resume has a wrong key.</summary>
    WrongKey,

    /// <summary>The program and its workers are killed, and the first resume finds the account's port closed.</summary>
    ClosedPort,

    /// <summary>The program and its workers are killed, and the clock is set before the resume.</summary>
    ClockStep,

    /// <summary>The program and its workers are killed, and the stored ending of the run is damaged.</summary>
    DamagedEnding,

    /// <summary>The result of a leg is damaged while a later leg runs.</summary>
    DamagedLeg,

    /// <summary>The program and its workers are killed, and the ledger of the run's own account is damaged.</summary>
    DamagedLedger,

    /// <summary>The run's own account is killed before its ledger is stored.</summary>
    LostAccount,

    /// <summary>The mark of the end of a run that has ended is damaged.</summary>
    DamagedEnded,

    /// <summary>The page of a run that has ended is edited, and the checksums of its reports are deleted.</summary>
    EditedReport,
}

/// <summary>A planned event.</summary>
/// <param name="Target">The event to cause.</param>
/// <param name="After">
/// The item of the run store after which the event comes. If the item is there already, the event comes after the program's start or after
/// the previous event.
/// </param>
/// <param name="Delay">Time between the item and the event.</param>
internal sealed record SoakKill(SoakTarget Target, string After, TimeSpan Delay)
{
    private const int MaxOfARun = 7;

    /// <summary>The ledger of a run's own account.</summary>
    public const string LedgerName = "ledger.json";

    /// <summary>The mark of a run's end.</summary>
    public const string EndedName = "ended.json";

    private static readonly SoakTarget[] OfSharedAccount =
    [
        SoakTarget.Worker, SoakTarget.FrozenWorker, SoakTarget.FrozenAccount, SoakTarget.GoneFolder, SoakTarget.Program, SoakTarget.All,
        SoakTarget.Connections, SoakTarget.NoKey, SoakTarget.WrongKey, SoakTarget.ClosedPort, SoakTarget.ClockStep,
        SoakTarget.DamagedEnding, SoakTarget.DamagedLeg, SoakTarget.FullDisk, SoakTarget.ClosedOutput, SoakTarget.ThreadsOfGroup,
        SoakTarget.ThreadsOfUser,
    ];

    private static readonly SoakTarget[] OfOwnAccount =
    [
        SoakTarget.Worker, SoakTarget.FrozenWorker, SoakTarget.FrozenAccount, SoakTarget.Program, SoakTarget.All, SoakTarget.DamagedLeg,
        SoakTarget.FullDisk, SoakTarget.ClosedOutput,
    ];

    private static readonly SoakTarget[] OfOwnAccountsEnd = [SoakTarget.LostAccount, SoakTarget.DamagedLedger, SoakTarget.GoneFolder];

    private static readonly SoakTarget[] OfEndedRun = [SoakTarget.DamagedEnded, SoakTarget.EditedReport];

    /// <summary>The items that a run writes, in their order: from the claim to the mark of its end.</summary>
    private static readonly string[] Items =
    [
        RunFiles.SpecName, RunFiles.ContainerClaimName, RunFiles.PreparedName, LegNames.Attempt(0, 1, 1), RunFiles.ReadyName(0),
        RunFiles.StartName, LegNames.Result(0, 1), LegNames.Attempt(0, 2, 1), LegNames.Result(0, 2), RunFiles.EndingName,
        .. RunForms.Kind.Forms.Select(form => form.FileName), RunFiles.ContainerGoneName,
    ];

    /// <summary>The events that are possible on this machine.</summary>
    public static IEnumerable<SoakTarget> Possible =>
        Enum.GetValues<SoakTarget>().Where(target => target switch
        {
            SoakTarget.ClockStep => SoakClock.CanBeSet,
            SoakTarget.FullDisk => SoakDisk.CanBeMounted,
            SoakTarget.ThreadsOfGroup or SoakTarget.ThreadsOfUser => SoakLimits.CanBeSet,
            _ => true,
        });

    /// <summary>
    /// Plans the events of a run. Some come within milliseconds of an item, in the order of the items; the others come at any time. The
    /// events that happened least so far are chosen first, so that each kind occurs.
    /// </summary>
    /// <param name="happened">The events of all runs so far.</param>
    /// <param name="ownAccount">Whether the run has a simulated account of its own.</param>
    /// <param name="isLarge">Whether its spec is longer than what a pipe holds. A worker of such a run is frozen in each case.</param>
    public static IReadOnlyList<SoakKill> Plan(Random random, IEnumerable<SoakTarget> happened, bool ownAccount, bool isLarge)
    {
        var targets = new List<SoakTarget>(happened);
        var kills = new List<SoakKill>();
        var item = -1;
        for (var left = random.Next(2, MaxOfARun + 1); left > 0; left--)
        {
            var target = isLarge && kills.Count == 0
                ? SoakTarget.FrozenLargeSpec
                : Choose(ownAccount ? OfOwnAccount : OfSharedAccount, random, targets);
            targets.Add(target);
            item += random.Next(1, 5);
            if (target == SoakTarget.DamagedEnding)
                kills.Add(new SoakKill(target, RunFiles.EndingName, TimeSpan.Zero));
            else if (target == SoakTarget.DamagedLeg)
                kills.Add(new SoakKill(target, LegNames.Attempt(0, 2, 1), TimeSpan.Zero));
            else
                kills.Add(random.Next(3) > 0 && item < Items.Length
                    ? new SoakKill(target, Items[item], TimeSpan.FromMilliseconds(random.Next(0, 4) * random.Next(0, 30)))
                    : new SoakKill(target, Items[0], TimeSpan.FromMilliseconds(random.Next(4_000))));
        }

        if (ownAccount)
        {
            var target = Choose(OfOwnAccountsEnd, random, targets);
            kills.Add(target switch
            {
                SoakTarget.LostAccount => new SoakKill(target, RunFiles.EndingName, TimeSpan.Zero),
                SoakTarget.GoneFolder => new SoakKill(target, Items[0], TimeSpan.FromMilliseconds(random.Next(4_000))),
                _ => new SoakKill(target, LedgerName, TimeSpan.Zero),
            });
        }

        // An event that waits for the run's ending comes last, because the other events would come too late after it.
        return [.. kills.OrderBy(kill => kill.Target == SoakTarget.DamagedEnding)];
    }

    /// <summary>Whether the program goes on after the event.</summary>
    public bool LeavesTheProgram => Target
        is SoakTarget.Worker or SoakTarget.FrozenWorker or SoakTarget.FrozenLargeSpec or SoakTarget.FrozenAccount
        or SoakTarget.Connections or SoakTarget.LostAccount or SoakTarget.DamagedLeg or SoakTarget.FullDisk or SoakTarget.ClosedOutput;

    /// <summary>Chooses the event of a run that has ended.</summary>
    public static SoakTarget ChooseOfEndedRun(Random random, IEnumerable<SoakTarget> happened) => Choose(OfEndedRun, random, happened);

    private static SoakTarget Choose(SoakTarget[] targets, Random random, IEnumerable<SoakTarget> happened)
    {
        var counts = happened.CountBy(target => target).ToDictionary();
        return targets.Intersect(Possible).OrderBy(target => counts.GetValueOrDefault(target)).ThenBy(_ => random.Next()).First();
    }
}
