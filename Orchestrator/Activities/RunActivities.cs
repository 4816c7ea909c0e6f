using Microsoft.Azure.Functions.Worker;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Orchestrations;
using ScaleOut.Reports;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Legs;

namespace ScaleOut.Orchestrator.Activities;

/// <summary>The steps of a run that touch the outside. Each may be run again and then gives what it gave before.</summary>
/// <param name="store">The run store.</param>
/// <param name="account">The account that all runs go to.</param>
/// <param name="legs">Runs the legs of this instance, and keeps its clients warm between them.</param>
public sealed class RunActivities(IRunStore store, AccountConnection account, LegRunner legs)
{
    [Function(FunctionNames.PrepareContainer)]
    public async Task<Preparation> PrepareContainerAsync([ActivityTrigger] RunSpec spec, CancellationToken cancellationToken)
    {
        using var containers = new ContainerControl(account);
        return await containers.PrepareAsync(spec, store, cancellationToken);
    }

    [Function(FunctionNames.RunLeg)]
    public Task<LegOutput> RunLegAsync([ActivityTrigger] LegInput leg, CancellationToken cancellationToken) => legs.RunAsync(leg, cancellationToken);

    [Function(FunctionNames.VerifyContainer)]
    public async Task<Verification> VerifyContainerAsync([ActivityTrigger] PreparedContainer container, CancellationToken cancellationToken)
    {
        using var containers = new ContainerControl(account);
        return await containers.VerifyAsync(container, cancellationToken);
    }

    [Function(FunctionNames.SaveReport)]
    public Task<RunOutcome> SaveReportAsync([ActivityTrigger] RunEnding ending, CancellationToken cancellationToken) =>
        ReportSaver.SaveAsync(store, ending, cancellationToken);

    [Function(FunctionNames.CleanUp)]
    public async Task CleanUpAsync([ActivityTrigger] PreparedContainer container, CancellationToken cancellationToken)
    {
        using var containers = new ContainerControl(account);
        await containers.CleanUpAsync(container, cancellationToken);
    }
}
