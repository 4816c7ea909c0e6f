using ScaleOut.Analysis.Reports;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Prediction;

/// <summary>What an attempt cost in CPU time in a run that was measured.</summary>
/// <param name="WorkerMs">Of the worker.</param>
/// <param name="AccountMs">
/// Of the simulated account on the workers' machine: as it was measured, else what keeps the machine busy beside them, and at most as much
/// as theirs; 0 where it was elsewhere.
/// </param>
/// <param name="When">In which time it was measured, for a sentence.</param>
internal sealed record MeasuredCpu(double WorkerMs, double AccountMs, string When)
{
    /// <summary>
    /// From the seconds in which all workers were at work, past the warm-up in which code is compiled, as rates and latencies are; of a run
    /// without them from all of its time. Null for a run that measured none.
    /// </summary>
    public static MeasuredCpu? From(RunReport report)
    {
        var seconds = report.Workers.Sum(worker => worker.CpuSeconds);
        if (report.Requests.Attempts == 0 || seconds <= 0)
            return null;
        var overlap = report.Series.Where(point => point.Overlap).ToList();
        var (documents, pages) = ((double)report.Spec.Workload.DocumentsPerOperation, PagesOf(report) ?? 1);
        var attempts = overlap.Sum(point => (point.Inserted / documents * pages) + point.Throttled);
        if (report.Throughput.OverlapPerSecond is null || attempts <= 0 || report.Utilization?.Client is not > 0)
            return new MeasuredCpu(seconds * 1000 / report.Requests.Attempts, AccountMs: 0, "over the whole run");

        // The report has the busiest worker's share; the others follow by their CPU time.
        var busy = report.Utilization.Client.Value * CoresOf(report) * seconds / report.Workers.Max(worker => worker.CpuSeconds);
        var each = report.Throughput.OverlapSeconds * 1000 / attempts;
        var others = !SharesMachine(report) ? 0
            : report.Utilization.MachineByAccount is { } account ? account * MachineCoresOf(report)
            // What is more than that is other work: an account does less for a request than its client.
            : report.Utilization.Machine is { } machine ? Math.Clamp((machine * MachineCoresOf(report)) - busy, 0, busy)
            : 0;
        return new MeasuredCpu(busy * each, others * each, "past the warm-up");
    }

    /// <summary>Cores that each of a run's workers might use.</summary>
    public static int CoresOf(RunReport report) => Math.Max(1, report.Workers.Max(worker => worker.Machine?.Cores ?? 1));

    /// <summary>Cores of the machine of a run's workers.</summary>
    public static int MachineCoresOf(RunReport report) =>
        report.Workers.Max(worker => worker.Machine?.MachineCores) ?? CoresOf(report);

    /// <summary>Pages of one query of a run; null for other workloads, and without any.</summary>
    public static double? PagesOf(RunReport report) =>
        report is { Spec.Workload.Kind: WorkloadKind.Query, Requests: { Operations: > 0 and var operations } requests }
            ? Math.Max(1, (requests.Attempts - requests.Throttled - requests.OtherErrors) / (double)operations)
            : null;

    /// <summary>Whether the workers shared one machine with the account.</summary>
    public static bool SharesMachine(RunReport report) => report is { Simulated: true, DistinctInstances: 1 };
}
