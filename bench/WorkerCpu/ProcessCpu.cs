namespace ScaleOut.Bench.WorkerCpu;

public static class ProcessCpu
{
    /// <summary>CPU seconds of this process while some work runs. Garbage from before is collected first and does not count.</summary>
    public static async Task<double> OfAsync(Func<Task> work)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var before = Environment.CpuUsage.TotalTime;
        await work();
        return (Environment.CpuUsage.TotalTime - before).TotalSeconds;
    }
}
