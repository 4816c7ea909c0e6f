using Microsoft.DurableTask;
using Microsoft.DurableTask.Client;
using ScaleOut.Api.Hosts;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.Orchestrator.Http;

/// <summary>Runs are orchestrations whose instance ids are the runs' ids.</summary>
internal sealed class DurableRunHost(DurableTaskClient client, IRunStore store, TimeProvider time) : IRunHost
{
    /// <inheritdoc/>
    public Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(spec);
        return client.ScheduleNewOrchestrationInstanceAsync(
            FunctionNames.RunOrchestrator, spec, new StartOrchestrationOptions(spec.Id), cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (await client.FindInstanceAsync(store, id, cancellationToken) is not { } instance)
            return StopResult.Unknown;
        if (!instance.IsAlive)
            return StopResult.Ended;
        await new RunFiles(store, id).RequestStopAsync(cancellationToken);
        return StopResult.Stopping;
    }

    /// <inheritdoc/>
    public async Task<HostedRun?> ReadStatusAsync(string id, CancellationToken cancellationToken)
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
