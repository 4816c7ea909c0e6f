using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask;
using ScaleOut.Orchestration;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>Consecutive workers of a run that is too wide for one orchestration.</summary>
public static class GroupOrchestrator
{
    [Function(FunctionNames.GroupOrchestrator)]
    public static async Task<IReadOnlyList<WorkerOutcome>> RunAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        PayloadLimits.Fit(await GroupOrchestration.RunAsync(new DurableRunPort(context), OrchestrationInput.Of<WorkerGroup>(context)));
}
