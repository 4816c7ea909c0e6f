namespace ScaleOut.Workers.Measuring;

/// <summary>The counts of one UTC second of a leg.</summary>
internal sealed class SecondCell(int partitions) : CountCell
{
    /// <summary>What was charged, by physical partition, in <see cref="RequestUnits.Parts"/>.</summary>
    public readonly long[] RequestUnitParts = new long[partitions];

    /// <summary>Latency of the operations that did not fail.</summary>
    public readonly LatencyHistogram Latency = LatencyHistogram.Coarse();

    /// <summary>Attempts by code that ended in anything but success, 409 or 429; null without any.</summary>
    public ConcurrentDictionary<string, long>? Errors;

    // Written by the sampler alone.
    public double CpuSeconds;
    public int InFlight;
    public double? MachineCpuShare;

    public void CountError(string code)
    {
        var errors = Volatile.Read(ref Errors);
        if (errors is null)
        {
            var made = new ConcurrentDictionary<string, long>();
            errors = Interlocked.CompareExchange(ref Errors, made, null) ?? made;
        }

        errors.AddOrUpdate(code, 1, static (_, count) => count + 1);
    }
}
