using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask;
using ScaleOut.Experiments;
using ScaleOut.Orchestrator.Orchestrations;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>An experiment: its runs one after the other, then its report. Its instance id is made from the experiment's id.</summary>
public static class ExperimentOrchestrator
{
    [Function(ExperimentFunctionNames.ExperimentOrchestrator)]
    public static Task<ExperimentOutcome> RunAsync([OrchestrationTrigger] TaskOrchestrationContext context)
    {
        var spec = OrchestrationInput.Of<ExperimentSpec>(context);
        return ExperimentOrchestration.RunAsync(new DurableExperimentPort(context, spec.Id!), spec);
    }
}
