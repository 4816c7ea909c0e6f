namespace ScaleOut.DevBox.Display;

/// <summary>Phases of a run in words.</summary>
internal static class PhaseText
{
    public static string From(RunStatus run) => run.Phase switch
    {
        RunPhase.Preparing => run.Stopping ? "stopping" : $"preparing the {StoreOf(run)}",
        RunPhase.WaitingForRoles => run.Stopping ? "stopping" : "waiting until the roles of this identity hold (up to 10 min)",
        RunPhase.Running when run.Stopping => "stopping",
        RunPhase.Running => run.Workers.All(HasNotBegun) ? "starting the workers" : "running",
        RunPhase.Verifying => run.UsesTables ? "counting the table's rows" : "counting the container's documents",
        RunPhase.Reporting => "writing the report",
        RunPhase.CleaningUp => $"deleting the run's {StoreOf(run)}",
        _ => "ended",
    };

    private static string StoreOf(RunStatus run) => run.UsesTables ? "table" : "container";

    public static bool HasNotBegun(WorkerStatus worker) =>
        worker.Done == 0 && worker.State is WorkerState.Starting or WorkerState.Warming or WorkerState.Preloading or WorkerState.Waiting
            or WorkerState.Restarting;
}

/// <summary>Lost work in words.</summary>
internal static class LostText
{
    /// <param name="legs">Legs that left no result.</param>
    public static string From(int legs) => $"{Words.Amount(legs, "lost part")}, done again";
}
