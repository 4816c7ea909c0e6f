using ScaleOut.Api.Hosts;
using ScaleOut.Progress;

namespace ScaleOut.Orchestrator.Http;

/// <summary>Runs are orchestrations whose instance ids are the runs' ids.</summary>
internal sealed class DurableRunHost(DurableTaskClient client, IRunStore store, TimeProvider time) : IRunHost
{
    /// <inheritdoc/>
    public Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        return client.ScheduleNewOrchestrationInstanceAsync(
            FunctionNames.RunOrchestrator, spec, new StartOrchestrationOptions(spec.Id), cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (await client.FindInstanceAsync(store, id, cancellationToken) is not { } instance)
            return StopResult.Unknown;
        var files = new RunFiles(store, id);
        // Whoever ends a run's orchestration by hand ends neither those of its workers nor their legs, which look for the request.
        if (!instance.IsAlive && await files.ReadEndedAsync(cancellationToken) is not null)
            return StopResult.Ended;
        await files.RequestStopAsync(cancellationToken);
        return StopResult.Stopping;
    }

    /// <inheritdoc/>
    public async Task<RunStatus?> ReadStatusAsync(string id, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, id);
        if (await client.FindInstanceAsync(store, id, cancellationToken) is not { } instance
            || await files.ReadClaimedAsync(cancellationToken) is not { } spec)
            return null;
        if (!instance.IsAlive)
            return EngineRuns.From(spec, instance, stopRequested: false, [], time.GetUtcNow());
        var progress = await new ProgressFiles(store, id).ReadAllAsync(instance.Id, cancellationToken);
        return EngineRuns.From(spec, instance, await files.IsStopRequestedAsync(cancellationToken), progress, time.GetUtcNow());
    }
}
