using Microsoft.DurableTask;
using Microsoft.DurableTask.Client;
using ScaleOut.Http;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Hosting;

namespace ScaleOut.Orchestrator.Http;

/// <summary>Runs are orchestrations whose instance ids are the runs' ids.</summary>
internal sealed class DurableRunHost(DurableTaskClient client, IRunStore store, HostSettings settings, TimeProvider time) : IRunHost
{
    /// <summary>In Azure a leg costs an activity's dispatch, and an instance is not lost every few minutes.</summary>
    private static readonly TimeSpan LegDuration = TimeSpan.FromMinutes(5);

    /// <inheritdoc/>
    public HostRules Rules { get; } = new()
    {
        Target = RunTarget.OtherAccount,
        Simulated = settings.Account.Simulated,
        LegDuration = LegDuration,
        RequestUnitsPerSecond = new SettingLimit(HostSettings.MaxRequestUnitsSetting, settings.MaxRequestUnits),
        Prices = settings.Prices,
        Workers = new SettingLimit(HostSettings.MaxWorkersSetting, settings.MaxWorkers),
    };

    /// <inheritdoc/>
    public Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(spec);
        return client.ScheduleNewOrchestrationInstanceAsync(FunctionNames.RunOrchestrator, spec, new StartOrchestrationOptions(spec.Id), cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (await client.FindInstanceAsync(store, id, cancellationToken) is not { } instance)
            return StopAnswer.Unknown;
        if (!instance.IsAlive)
            return StopAnswer.Ended;
        await new RunFiles(store, id).RequestStopAsync(cancellationToken);
        return StopAnswer.Stopping;
    }

    /// <inheritdoc/>
    public async Task<HostedRun?> ReadStatusAsync(string id, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, id);
        if (await client.FindInstanceAsync(store, id, cancellationToken) is not { } instance || await files.ReadClaimedAsync(cancellationToken) is not { } spec)
            return null;
        if (!instance.IsAlive)
            return EngineRuns.Of(spec, instance, stopRequested: false, [], time.GetUtcNow());
        var progress = await new ProgressFiles(store, id).ReadAllAsync(instance.Id, cancellationToken);
        return EngineRuns.Of(spec, instance, await files.IsStopRequestedAsync(cancellationToken), progress, time.GetUtcNow());
    }
}
