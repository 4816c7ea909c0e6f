namespace ScaleOut.Reports;

/// <summary>How much of each limit a run used over the seconds that <see cref="RunReport.BoundBy"/> rests on; shares are 0 to 1, null where it is not known.</summary>
public sealed record Utilization
{
    /// <summary>Mean RU/s / the container's budget.</summary>
    public double? RequestUnits { get; init; }

    /// <summary>Of the partition that was at its limit most often: the share of seconds in which it used at least 95% of its budget.</summary>
    public double? PartitionSecondsAtLimit { get; init; }

    /// <summary>Of the busiest worker: CPU time of its process / (time x its cores).</summary>
    public double? Client { get; init; }

    /// <summary>Of the busiest machine: busy share of all its cores, whoever used them.</summary>
    public double? Machine { get; init; }

    /// <summary>Whether every worker was an open loop that kept its schedule; null when none was an open loop.</summary>
    public bool? KeptSchedule { get; init; }
}
