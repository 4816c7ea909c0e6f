using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Workers.Containers;

namespace ScaleOut.Bench.Soak;

/// <summary>What is killed.</summary>
internal enum SoakTarget
{
    /// <summary>A worker's process.</summary>
    Worker,

    /// <summary>The orchestrating program.</summary>
    Program,

    /// <summary>The program and all of its workers.</summary>
    All,

    /// <summary>The connections to the account.</summary>
    Connections,

    /// <summary>All, and a first resume has no key.</summary>
    NoKey,

    /// <summary>All, and a first resume has a wrong key.</summary>
    WrongKey,

    /// <summary>All, and a first resume finds nobody at the account's port.</summary>
    ClosedPort,

    /// <summary>All, and the clock is set before the run is resumed.</summary>
    ClockStep,

    /// <summary>All, and what the run came to is damaged.</summary>
    DamagedEnding,

    /// <summary>All, and the ledger of the run's own account is damaged.</summary>
    DamagedLedger,

    /// <summary>The run's own account, before its ledger is kept.</summary>
    LostAccount,

    /// <summary>Nothing: the mark of a run that has ended is damaged.</summary>
    DamagedEnded,
}

/// <summary>A kill that is to come.</summary>
/// <param name="Target">What is killed.</param>
/// <param name="After">The item of the run store after which it comes. Where it is there already, the program's start, or the kill
/// before.</param>
/// <param name="Delay">Time after that.</param>
internal sealed record SoakKill(SoakTarget Target, string After, TimeSpan Delay)
{
    private const int MostOfARun = 7;

    /// <summary>The ledger of a run's own account.</summary>
    public const string LedgerName = "ledger.json";

    /// <summary>The mark of a run's end.</summary>
    public const string EndedName = "ended.json";

    private static readonly SoakTarget[] OfSharedAccount =
    [
        SoakTarget.Worker, SoakTarget.Program, SoakTarget.All, SoakTarget.Connections, SoakTarget.NoKey, SoakTarget.WrongKey,
        SoakTarget.ClosedPort, SoakTarget.ClockStep, SoakTarget.DamagedEnding,
    ];

    private static readonly SoakTarget[] OfOwnAccount = [SoakTarget.Worker, SoakTarget.Program, SoakTarget.All];

    /// <summary>What a run writes, in its order: from the claim to the mark of its end.</summary>
    private static readonly string[] Items =
    [
        RunFiles.SpecName, ContainerClaim.ItemName, RunFiles.PreparedName, LegNames.Attempt(0, 1, 1), RunFiles.ReadyName(0),
        RunFiles.StartName, LegNames.Result(0, 1), LegNames.Attempt(0, 2, 1), LegNames.Result(0, 2), RunFiles.EndingName,
        .. RunForms.Kind.Forms.Select(form => form.FileName), RunFiles.ContainerGoneName,
    ];

    /// <summary>The kills of a run: some within milliseconds of an item, in their order, the others at any time.</summary>
    /// <param name="random">Decides.</param>
    /// <param name="ownAccount">Whether the run has a simulated account of its own.</param>
    public static IReadOnlyList<SoakKill> Plan(Random random, bool ownAccount)
    {
        var targets = ownAccount ? OfOwnAccount : OfSharedAccount;
        var kills = new List<SoakKill>();
        var item = -1;
        for (var left = random.Next(2, MostOfARun + 1); left > 0; left--)
        {
            var target = targets[random.Next(targets.Length)];
            item += random.Next(1, 5);
            if (target == SoakTarget.DamagedEnding)
                kills.Add(new SoakKill(target, RunFiles.EndingName, TimeSpan.Zero));
            else
                kills.Add(random.Next(3) > 0 && item < Items.Length
                    ? new SoakKill(target, Items[item], TimeSpan.FromMilliseconds(random.Next(0, 4) * random.Next(0, 30)))
                    : new SoakKill(target, Items[0], TimeSpan.FromMilliseconds(random.Next(4_000))));
        }

        if (ownAccount)
            kills.Add(random.Next(2) == 0
                ? new SoakKill(SoakTarget.LostAccount, RunFiles.EndingName, TimeSpan.Zero)
                : new SoakKill(SoakTarget.DamagedLedger, LedgerName, TimeSpan.Zero));
        return kills;
    }
}
