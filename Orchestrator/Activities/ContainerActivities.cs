using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Activities;

/// <summary>The activities of a run's container or table. Each can be run again, and then returns the same result.</summary>
/// <param name="open">Opens the control of the account's containers.</param>
public sealed class ContainerActivities(IRunStore store, Func<IContainerControl> open, TimeProvider time)
{
    [Function(FunctionNames.PrepareContainer)]
    public async Task<Preparation> PrepareContainerAsync([ActivityTrigger] RunSpec spec, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, spec.Id!);
        try
        {
            var preparation = await PrepareAsync(files, spec, cancellationToken);
            // A run that waits for a role can still be stopped at once.
            return preparation.MissingRole is not null && await files.IsStopRequestedAsync(cancellationToken)
                ? new Preparation { Stopped = true }
                : preparation;
        }
        catch (Exception e) when (AccountErrors.MayBeLateRole(e))
        {
            return new Preparation { MissingRole = BlobRunStore.WhyForbidden(e) };
        }
    }

    private async Task<Preparation> PrepareAsync(RunFiles files, RunSpec spec, CancellationToken cancellationToken)
    {
        if (await files.ReadEndingAsync(cancellationToken) is { } ending)
            return new Preparation { Ending = ending };
        var begunAt = time.GetUtcNow();
        using var containers = open();
        var preparation = await containers.PrepareAsync(spec, store, cancellationToken);
        if (preparation.Container is not null)
            await files.NoteBegunAsync(
                begunAt, cancellationToken, (await files.ReadResumptionAsync(cancellationToken))?.InstanceId ?? spec.Id);
        return preparation;
    }

    [Function(FunctionNames.ChangeThroughput)]
    public async Task<ThroughputChangeResult> ChangeThroughputAsync(
        [ActivityTrigger] ThroughputChange change, CancellationToken cancellationToken)
    {
        using var containers = open();
        return await ThroughputChanges.ApplyAsync(
            new RunFiles(store, change.RunId), containers, change, time.GetUtcNow, onOneMachine: false, cancellationToken);
    }

    [Function(FunctionNames.VerifyContainer)]
    public async Task<Verification> VerifyContainerAsync([ActivityTrigger] PreparedContainer container, CancellationToken cancellationToken)
    {
        using var containers = open();
        return await containers.VerifyAsync(container, cancellationToken);
    }

    [Function(FunctionNames.CleanUp)]
    public async Task<bool> CleanUpAsync([ActivityTrigger] PreparedContainer container, CancellationToken cancellationToken)
    {
        var files = container.RunId is { } id ? new RunFiles(store, id) : null;
        // If the container is gone already, another run may have created one of the same name.
        if (files is not null && await files.IsContainerGoneAsync(cancellationToken))
            return true;
        using var containers = open();
        try
        {
            await containers.CleanUpAsync(container, cancellationToken);
        }
        catch (AccountException e) when (e.Kind == AccountErrorKind.Rejected)
        {
            // An example is a wrong key. The timer retries later, because somebody may have corrected the cause by then.
            throw new FinalFailureException(e.Message, e);
        }

        if (files is not null)
            await files.MarkContainerGoneAsync(cancellationToken);
        return true;
    }
}
