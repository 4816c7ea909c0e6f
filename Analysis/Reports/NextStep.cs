namespace ScaleOut.Analysis.Reports;

/// <summary>What a limit means: what the rate is evidence about, and the change that would raise it most.</summary>
internal static class NextStep
{
    /// <summary>Minimum share of a machine's cores that other programs use for the next step to be to close them.</summary>
    private const double NoticeableOthers = 0.2;

    /// <summary>
    /// Minimum used share of a worker's cores for the next step to be more workers: on average, and in the busiest second.
    /// </summary>
    private const double HalfBusy = 0.5;
    private const double AlmostBusy = 0.8;

    /// <summary>The settings that limit the RU/s of workers.</summary>
    private const string Limits = "workload.requestUnitRate, maxRequestUnitShare, or requestUnitRate of workerOverrides";

    /// <summary>Factors to the next limit that are worth naming.</summary>
    private static readonly Interval WorthNaming = new(1.05, 100);

    /// <summary>What would raise the rate most, in a sentence.</summary>
    /// <param name="used">How much of each limit was used; null if it is not known.</param>
    /// <param name="isPaced">Whether the spec says how many RU/s each worker may use.</param>
    public static string From(BoundBy bound, Utilization? used, bool isPaced = false) => "Next step: " + bound switch
    {
        BoundBy.Errors => "find out why the attempts fail; the rate of such a run is inconclusive.",
        BoundBy.Partition when isPaced =>
            $"keys that spread more evenly, or permit fewer RU/s ({Limits}) than one partition has.",
        BoundBy.Rate when isPaced => $"permit more RU/s ({Limits}){Room(used, withClient: true)}.",
        BoundBy.RequestUnits when isPaced =>
            $"permit more RU/s ({Limits}), and more throughput with them.",
        BoundBy.RequestUnits when used?.CameInBursts == true =>
            "fewer operations in flight, or single operations instead of bulk, so that the load comes evenly; or more throughput (RU/s).",
        BoundBy.RequestUnits => "more throughput (RU/s); more workers would not help.",
        BoundBy.Partition => "keys that spread more evenly.",
        BoundBy.Client => $"more or larger workers{Room(used, withClient: false)}.",
        BoundBy.Machine when used?.MachineByOthers >= NoticeableOthers => "close what else runs on this machine, and run it again.",
        BoundBy.Machine => "a larger machine, or workers on machines of their own.",
        BoundBy.Rate => $"a higher rate{Room(used, withClient: true)}.",
        _ when used?.Client >= HalfBusy || used?.ClientMax >= AlmostBusy => $"more workers{Room(used, withClient: false)}.",
        _ => $"more operations in flight, or more workers{Room(used, withClient: true)}.",
    };

    /// <summary>
    /// The command that makes a run again with twice as much of what bound it; null if no command started it. A run's id is left out,
    /// because the new run needs another one.
    /// </summary>
    public static string? CommandOf(RunReport report)
    {
        if (CommandIn(report.StartedBy) is not { } command)
            return null;
        command = Option("--id").Replace(command, "");
        var spec = report.Spec;
        (string Option, long Value)? change = report.BoundBy switch
        {
            BoundBy.RequestUnits when !spec.IsPaced() && spec.SaysThroughput(report.Simulated) =>
                ("--throughput", 2L * spec.Container.Throughput),
            BoundBy.Client => ("--workers", 2L * spec.Workers),
            BoundBy.Latency => ("--concurrency", 2L * spec.SettingsOf(0).Concurrency),
            _ => null,
        };
        return change is { } one ? $"{Option(one.Option).Replace(command, "")} {one.Option} {one.Value}" : command;
    }

    /// <summary>What started something if it was a command; null if it was a request.</summary>
    public static string? CommandIn(string? startedBy) =>
        startedBy?.StartsWith("devbox", StringComparison.Ordinal) == true ? startedBy : null;

    private static Regex Option(string name) => new($@" {name}[ =]\S+", RegexOptions.CultureInvariant);

    /// <summary>Says in a clause what the rate is evidence about: Cosmos DB, the simulated account or the machine.</summary>
    /// <param name="simulated">Whether it was measured on the simulated account.</param>
    /// <param name="emulated">Whether it was measured on an emulator.</param>
    /// <param name="usesTables">Whether the load went to Table storage.</param>
    public static string EvidenceFor(BoundBy bound, bool simulated, bool emulated = false, bool usesTables = false)
    {
        var service = usesTables ? "Table storage" : "Cosmos DB";
        return bound switch
        {
            BoundBy.Errors => $"this says nothing about the throughput of {service}",
            BoundBy.Client => $"this says something about the clients, not {service}",
            BoundBy.Machine => $"this says something about this machine, not {service}",
            BoundBy.Rate => $"this is what was asked for, no limit of {service}",
            _ when emulated => $"this says something about the emulator, not {service}",
            BoundBy.Latency when simulated => $"this follows from the simulated account's latency and says nothing about {service}",
            _ when simulated => $"this follows from the simulated account's RU/s and says nothing about {service}",
            BoundBy.Latency => $"this says something about {service} as it is reached over this network",
            _ => $"this says something about {service}: it is what the container's RU/s give",
        };
    }

    /// <summary>
    /// A clause that says by what factor the rate can grow until the next limit; empty if the used shares do not show it.
    /// </summary>
    private static string Room(Utilization? used, bool withClient)
    {
        var (share, name) = new (double? Share, string Name)[]
            {
                (used?.RequestUnits, "the RU/s"), (used?.Machine, "the machine's cores"),
                (withClient ? used?.Client : null, "the busiest worker's cores"),
            }
            .MaxBy(limit => limit.Share ?? 0);
        return share is > 0 and var most && WorthNaming.Contains(1 / most)
            ? $", with room for about {Numbers.Brief(1 / most)} x until {name} are used up"
            : "";
    }
}
