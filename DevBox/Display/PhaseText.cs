using ScaleOut.Orchestration;

namespace ScaleOut.DevBox.Display;

/// <summary>Phases of a run in words.</summary>
internal static class PhaseText
{
    public static string Of(RunSnapshot run) => run.Phase switch
    {
        RunPhase.Preparing => run.Stopping ? "stopping" : "preparing the container",
        RunPhase.Running when run.Stopping => "stopping",
        RunPhase.Running => run.Workers.All(HasNotBegun) ? "starting the workers" : "running",
        RunPhase.Verifying => "counting the container's documents",
        RunPhase.Reporting => "writing the report",
        RunPhase.CleaningUp => "deleting the run's container",
        _ => "ended",
    };

    private static bool HasNotBegun(WorkerRow worker) =>
        worker.Totals.Documents == 0 && worker.State is not ("running" or "draining" or "done" or "stopped" or "failed");
}
