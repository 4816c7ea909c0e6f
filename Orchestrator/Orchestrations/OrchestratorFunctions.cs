using Microsoft.Azure.Functions.Worker;
using ScaleOut.Experiments;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>The orchestrators as functions. What they do is engine-neutral: see <see cref="RunOrchestrator"/> and its neighbours.</summary>
public static class OrchestratorFunctions
{
    /// <summary>A run. Its instance id is the run's id, or one of its own when an experiment measures the run a second time.</summary>
    [Function(FunctionNames.RunOrchestrator)]
    public static Task<RunOutcome?> RunAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        RunOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<RunSpec>(context));

    /// <summary>Consecutive workers of a run that is too wide for one orchestration.</summary>
    [Function(FunctionNames.GroupOrchestrator)]
    public static Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        GroupOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<WorkerGroup>(context));

    /// <summary>A worker's legs. It continues as new from time to time, so that its history is bounded however long its slice is.</summary>
    [Function(FunctionNames.WorkerOrchestrator)]
    public static Task<WorkerOutcome?> RunWorkerAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        WorkerOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<WorkerState>(context));

    /// <summary>An experiment: its runs one after the other, then its report. Its instance id is made from the experiment's id.</summary>
    [Function(ExperimentFunctionNames.ExperimentOrchestrator)]
    public static Task<ExperimentOutcome> RunExperimentAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        ExperimentOrchestrator.RunAsync(new DurableOrchestrationContext(context), InputOf<ExperimentSpec>(context));

    /// <exception cref="InvalidOperationException">The orchestration was started without an input.</exception>
    private static T InputOf<T>(TaskOrchestrationContext context)
        where T : class =>
        context.GetInput<T>()
            ?? throw new InvalidOperationException($"The orchestration {context.Name} was started without its {typeof(T).Name}.");
}
