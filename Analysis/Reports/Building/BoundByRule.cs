namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Says what bound a run: the first limit, in the order of <see cref="BoundBy"/>, that was reached.</summary>
public static class BoundByRule
{
    /// <summary>Share of the container's RU/s from which they are the limit.</summary>
    public const double RequestUnitShare = 0.95;

    /// <summary>Share of a partition's RU/s from which a second counts as at its limit.</summary>
    public const double PartitionShare = 0.95;

    /// <summary>Share of seconds at its limit from which a partition is the limit.</summary>
    public const double PartitionSecondsShare = 0.5;

    /// <summary>Times the mean of the other partitions from which one stands out.</summary>
    private const double PartitionExcess = 1.1;

    /// <summary>Share of its cores from which a worker is the limit.</summary>
    public const double ClientShare = 0.8;

    /// <summary>Share of all cores from which a machine is the limit.</summary>
    public const double MachineShare = 0.9;

    /// <summary>Whether one partition stands out among the others.</summary>
    /// <param name="units">RU that it used.</param>
    /// <param name="othersUnits">RU that the others used, all together.</param>
    /// <param name="others">How many they are; with none it does not.</param>
    public static bool StandsOut(double units, double othersUnits, int others) =>
        others > 0 && units >= PartitionExcess * othersUnits / others;

    /// <summary>Decides from what was used; what is not known is not a limit.</summary>
    public static BoundBy Decide(Utilization used)
    {
        return used switch
        {
            { RequestUnits: >= RequestUnitShare } => BoundBy.RequestUnits,
            { PartitionSecondsAtLimit: >= PartitionSecondsShare } => BoundBy.Partition,
            { Client: >= ClientShare } => BoundBy.Client,
            { Machine: >= MachineShare } => BoundBy.Machine,
            { KeptSchedule: true } => BoundBy.Rate,
            _ => BoundBy.Latency,
        };
    }
}
