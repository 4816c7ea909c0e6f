namespace ScaleOut.Bench.WorkerCpu;

/// <summary>CPU time of this process.</summary>
public static class ProcessCpu
{
    /// <summary>Seconds that some work takes, what it left to be collected before not among them.</summary>
    public static async Task<double> OfAsync(Func<Task> work)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var before = Environment.CpuUsage.TotalTime;
        await work();
        return (Environment.CpuUsage.TotalTime - before).TotalSeconds;
    }
}
