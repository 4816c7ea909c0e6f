using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask;
using ScaleOut.Orchestration;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>A worker's legs. It continues as new turn by turn, so that its history is bounded however long its slice is.</summary>
public static class WorkerOrchestrator
{
    /// <returns>Null only at the end of a turn that another follows; nobody sees it.</returns>
    [Function(FunctionNames.WorkerOrchestrator)]
    public static async Task<WorkerOutcome?> RunAsync([OrchestrationTrigger] TaskOrchestrationContext context)
    {
        var turn = await WorkerOrchestration.RunTurnAsync(new DurableRunPort(context), OrchestrationInput.Of<WorkerState>(context));
        if (turn.Continue is { } next)
            context.ContinueAsNew(next);
        return turn.Outcome;
    }
}
