namespace ScaleOut.Measurement;

/// <summary>What one worker did in one whole UTC second; operations count in the second in which they ended.</summary>
public sealed record SecondSample
{
    /// <summary>Seconds since 1970-01-01 UTC.</summary>
    public required long Second { get; init; }

    /// <summary>Documents.</summary>
    public long Inserted { get; init; }

    /// <summary>Documents that were there from an earlier leg.</summary>
    public long AlreadyPresent { get; init; }

    /// <summary>Operations handed to the SDK that were answered 429.</summary>
    public long Throttled { get; init; }

    /// <summary>Documents that no retry can help.</summary>
    public long Failed { get; init; }

    /// <summary>RU charged to the workload.</summary>
    public double RequestUnits { get; init; }

    /// <summary>CPU time of the worker's process.</summary>
    public double CpuSeconds { get; init; }

    /// <summary>Operations in flight at the end of the second.</summary>
    public int InFlight { get; init; }

    /// <summary>Busy share of all cores of the machine, 0 to 1; null where the machine does not tell.</summary>
    public double? MachineCpuShare { get; init; }
}
