using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>A run; its instance id is the run's id.</summary>
public static class RunOrchestrator
{
    [Function(FunctionNames.RunOrchestrator)]
    public static Task<RunOutcome> RunAsync([OrchestrationTrigger] TaskOrchestrationContext context) =>
        RunOrchestration.RunAsync(new DurableRunPort(context), OrchestrationInput.Of<RunSpec>(context));
}
