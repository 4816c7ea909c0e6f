using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>
/// The orchestrators as functions. Their logic does not depend on the engine: see <see cref="RunOrchestrator"/> and the classes beside it.
/// </summary>
public static class OrchestratorFunctions
{
    /// <summary>Executes a run. The instance id of its first attempt is the run's id; further attempts have ids of their own.</summary>
    [Function(FunctionNames.RunOrchestrator)]
    public static Task<RunOutcome?> RunAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        RunOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<RunSpec>(context));

    /// <summary>Runs consecutive workers of a run that has too many workers for one orchestration.</summary>
    [Function(FunctionNames.GroupOrchestrator)]
    public static Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        GroupOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<WorkerGroup>(context));

    /// <summary>
    /// Runs a worker's legs. It continues as new from time to time, so that its history stays small even for a long slice.
    /// </summary>
    [Function(FunctionNames.WorkerOrchestrator)]
    public static Task<WorkerOutcome?> RunWorkerAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        WorkerOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<LegInput>(context));

    /// <summary>
    /// Runs an experiment: its runs one after the other, then its report. The instance id is made from the experiment's id.
    /// </summary>
    [Function(ExperimentFunctionNames.ExperimentOrchestrator)]
    public static Task<ExperimentOutcome?> RunExperimentAsync([OrchestrationTrigger] TaskOrchestrationContext context)
    {
        var engine = new DurableOrchestrationContext(context);
        var turn = OrchestrationVersions.IsAtLeast(engine.Version, "1.2")
            ? InputOf<ExperimentTurn>(context)
            : new ExperimentTurn(InputOf<ExperimentSpec>(context));
        return ExperimentOrchestrator.RunAsync(engine, turn, RunPlanner.From(turn.Spec, engine.Version));
    }

    /// <exception cref="InvalidOperationException">The orchestration was started without an input.</exception>
    private static T InputOf<T>(TaskOrchestrationContext context)
        where T : class =>
        context.GetInput<T>()
            ?? throw new InvalidOperationException($"The orchestration {context.Name} was started without its {typeof(T).Name}.");
}
