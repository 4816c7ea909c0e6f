using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Activities;

/// <summary>The activities of a run. Each can be run again, and then returns the same result.</summary>
/// <param name="legs">Runs the legs of this instance, and keeps its clients warm between them.</param>
/// <param name="admission">The queue in which runs wait for instances.</param>
public sealed class RunActivities(
    IRunStore store,
    ILegRunner legs,
    RunAdmission admission,
    IOptions<HostSettings> settings,
    IEnumerable<IRunTelemetry> telemetry)
{
    [Function(FunctionNames.AdmitRun)]
    public async Task<Admission> AdmitAsync(
        [ActivityTrigger] RunSpec spec, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken)
    {
        try
        {
            // A run that could not start before counts as ended. It starts now, so that record is deleted.
            var files = new RunFiles(store, spec.Id!);
            if (!await files.HasAsync(RunFiles.PreparedName, cancellationToken))
                await files.WithdrawEndedAsync(cancellationToken);
            return await admission.AdmitAsync(
                spec, async (id, token) => await client.FindInstanceAsync(store, id, token) is { IsAlive: true }, cancellationToken);
        }
        catch (Exception e) when (AccountErrors.MayBeLateRole(e))
        {
            return new Admission(AdmissionState.Forbidden, Failure: BlobRunStore.WhyForbidden(e));
        }
    }

    [Function(FunctionNames.RunLeg)]
    public Task<LegOutput> RunLegAsync([ActivityTrigger] LegInput leg, CancellationToken cancellationToken) =>
        legs.RunAsync(leg, cancellationToken);

    [Function(FunctionNames.SaveReport)]
    public async Task<RunOutcome> SaveReportAsync([ActivityTrigger] RunEnding ending, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, ending.Spec.Id!);
        await files.WriteReportInputAsync(ending, cancellationToken);
        return await SaveAsync(files, ending, cancellationToken);
    }

    /// <summary>Saves the report with the input that a failed call of <see cref="SaveReportAsync"/> stored.</summary>
    [Function(FunctionNames.SaveKeptReport)]
    public async Task<RunOutcome> SaveKeptReportAsync([ActivityTrigger] KeptEnding kept, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, kept.RunId);
        var ending = await files.ReadReportInputAsync(cancellationToken);
        return kept.Is(ending)
            ? await SaveAsync(files, ending!, cancellationToken)
            : throw new InputNotKeptException($"The input of the report of {kept.RunId} was not stored.");
    }

    private async Task<RunOutcome> SaveAsync(RunFiles files, RunEnding ending, CancellationToken cancellationToken)
    {
        // The run's ticket is released first, so that a run whose report cannot be created does not block other runs.
        await admission.ReleaseAsync(ending.Spec.Id!, cancellationToken);
        var (outcome, _) = await ReportSaver.SaveAsync(store, ending, cancellationToken, settings.Value.Prices);
        var resumption = await files.ReadResumptionAsync(cancellationToken);
        if (!outcome.NothingChanged)
        {
            var experimentId = (await files.ReadListingAsync(cancellationToken))?.Experiment;
            foreach (var one in telemetry)
                one.Ended(outcome, resumption?.InstanceId ?? outcome.RunId, experimentId);
        }
        else if (resumption is { WasAskedToStop: true })
        {
            await files.RequestStopAsync(cancellationToken);
        }

        await files.DeleteReportInputAsync(cancellationToken);
        return outcome;
    }

    /// <summary>
    /// Records that the run has ended, even if its container could not be deleted. The timer deletes such containers.
    /// </summary>
    [Function(FunctionNames.EndRun)]
    public async Task<bool> EndRunAsync([ActivityTrigger] RunEnded ended, CancellationToken cancellationToken)
    {
        var id = ended.Outcome.RunId;
        await new RunFiles(store, id).WriteEndedAsync(ended, cancellationToken);
        // Messages that arrive later are not stored, so no message remains after this.
        await new ProgressFiles(store, id).DeleteAsync(cancellationToken);
        return true;
    }
}
