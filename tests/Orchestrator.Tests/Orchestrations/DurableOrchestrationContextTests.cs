using Microsoft.DurableTask.Protobuf;

namespace ScaleOut.Orchestrator.Tests.Orchestrations;

public sealed class DurableOrchestrationContextTests
{
    /// <summary>The host's own failure says only which function was called.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task CallActivity_ProcessOfTheAppWasKilled_FailsWithTheHostsReasonForIt()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var calls = 0;
        app.Host.WorkItems.FailureOf = activity => activity == FunctionNames.RunLeg && Interlocked.Increment(ref calls) == 1
            ? new TaskFailureDetails
            {
                ErrorType = "Microsoft.Azure.WebJobs.Host.FunctionInvocationException",
                ErrorMessage = "Exception while executing function: Functions.RunLeg",
                InnerFailure = new()
                {
                    ErrorType = "Microsoft.Azure.WebJobs.Script.Workers.WorkerProcessExitException",
                    ErrorMessage = "dotnet exited with code 137 (0x89)",
                },
            }
            : null;

        var outcome = await app.RunAsync(new RunSpec { Id = "killed", Documents = 100, Workers = 1 });

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.EndsWith(
            "Leg 1 of worker 0 was lost (1 in a row): dotnet exited with code 137 (0x89) ",
            Assert.Single(app.Host.Warnings, line => line.Contains("was lost", StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.Equal("dotnet exited with code 137 (0x89)", Assert.Single(app.Legs.All).LastLost);
    }
}
