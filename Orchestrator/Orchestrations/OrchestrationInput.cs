using Microsoft.DurableTask;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>The input of an orchestration.</summary>
internal static class OrchestrationInput
{
    /// <exception cref="InvalidOperationException">It was started without one.</exception>
    public static T Of<T>(TaskOrchestrationContext context)
        where T : class =>
        context.GetInput<T>() ?? throw new InvalidOperationException($"The orchestration {context.Name} was started without its {typeof(T).Name}.");
}
