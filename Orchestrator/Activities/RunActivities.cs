using Microsoft.Azure.Functions.Worker;
using Microsoft.Extensions.Options;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Workers.Hosting;
using ScaleOut.Workers.Legs;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Orchestrator.Activities;

/// <summary>The steps of a run that touch the outside. Each may be run again and then gives what it gave before.</summary>
/// <param name="store">The run store.</param>
/// <param name="open">Gives control of the account's containers.</param>
/// <param name="legs">Runs the legs of this instance, and keeps its clients warm between them.</param>
/// <param name="admission">The line in which runs wait for instances.</param>
/// <param name="telemetry">Receive each run's end.</param>
public sealed class RunActivities(
    IRunStore store,
    Func<IContainerControl> open,
    ILegRunner legs,
    RunAdmission admission,
    IOptions<HostSettings> settings,
    IEnumerable<IRunTelemetry> telemetry)
{
    [Function(FunctionNames.AdmitRun)]
    public Task<Admission> AdmitAsync(
        [ActivityTrigger] RunSpec spec, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        admission.AdmitAsync(
            spec, async (id, token) => await client.FindInstanceAsync(store, id, token) is { IsAlive: true }, cancellationToken);

    [Function(FunctionNames.PrepareContainer)]
    public async Task<Preparation> PrepareContainerAsync([ActivityTrigger] RunSpec spec, CancellationToken cancellationToken)
    {
        if (await new RunFiles(store, spec.Id!).ReadEndingAsync(cancellationToken) is { } ending)
            return new Preparation { Ending = ending };
        using var containers = open();
        return await containers.PrepareAsync(spec, store, cancellationToken);
    }

    [Function(FunctionNames.RunLeg)]
    public Task<LegOutput> RunLegAsync([ActivityTrigger] LegInput leg, CancellationToken cancellationToken) =>
        legs.RunAsync(leg, cancellationToken);

    [Function(FunctionNames.VerifyContainer)]
    public async Task<Verification> VerifyContainerAsync([ActivityTrigger] PreparedContainer container, CancellationToken cancellationToken)
    {
        using var containers = open();
        return await containers.VerifyAsync(container, cancellationToken);
    }

    [Function(FunctionNames.SaveReport)]
    public async Task<RunOutcome> SaveReportAsync([ActivityTrigger] RunEnding ending, CancellationToken cancellationToken)
    {
        // A run whose report cannot be made holds up no other; one that repeats legs first has its workers at work for a moment longer than
        // it is admitted.
        await admission.ReleaseAsync(ending.Spec.Id!, cancellationToken);
        var outcome = await ReportSaver.SaveAsync(store, ending, cancellationToken, settings.Value.Prices);
        if (outcome.LeftAsItWas || outcome.WorkersToRepeat is { Count: > 0 })
            return outcome;
        if (await RunForms.Kind.ReadAsync(store, outcome.RunId, cancellationToken) is { } report)
        {
            foreach (var one in telemetry)
                one.Ended(report);
        }

        return outcome;
    }

    [Function(FunctionNames.CleanUp)]
    public async Task<bool> CleanUpAsync([ActivityTrigger] PreparedContainer container, CancellationToken cancellationToken)
    {
        using var containers = open();
        await containers.CleanUpAsync(container, cancellationToken);
        // What has that name later was not made by this run.
        if (container.RunId is { } id)
            await new RunFiles(store, id).MarkContainerGoneAsync(cancellationToken);
        return true;
    }

    /// <summary>
    /// Notes that the run has ended. A container that could not be deleted is deleted by the timer, so it does not keep the run from
    /// ending.
    /// </summary>
    [Function(FunctionNames.EndRun)]
    public async Task<bool> EndRunAsync([ActivityTrigger] RunEnded ended, CancellationToken cancellationToken)
    {
        var id = ended.Outcome.RunId;
        await new RunFiles(store, id).WriteEndedAsync(ended, cancellationToken);
        // What comes from now on is not kept, so nothing is left.
        await new ProgressFiles(store, id).DeleteAsync(cancellationToken);
        return true;
    }
}
