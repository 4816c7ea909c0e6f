namespace ScaleOut.Workers.Measuring;

/// <summary>Counters of one UTC second of a leg; the fields are added to with <see cref="Interlocked"/>.</summary>
internal sealed class SecondCell(int partitions)
{
    public long Inserted;
    public long AlreadyPresent;
    public long Throttled;
    public long Failed;

    /// <summary>RU charged, by physical partition.</summary>
    public readonly long[] MicroRequestUnits = new long[partitions];

    // Written by the sampler alone.
    public double CpuSeconds;
    public int InFlight;
    public double? MachineCpuShare;
}
