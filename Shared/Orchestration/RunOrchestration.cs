using ScaleOut.Specs;

namespace ScaleOut.Orchestration;

/// <summary>
/// A run from its container to its report. Deterministic: it awaits nothing but the port's tasks and reads no clock but the port's.
/// </summary>
public static class RunOrchestration
{
    /// <summary>Workers that one orchestration fans out to; above it they are split into groups, each a child of its own.</summary>
    public const int GroupSize = 50;

    /// <summary>Runs a claimed spec to its end.</summary>
    /// <param name="port">The engine.</param>
    /// <param name="spec">A valid spec with its id.</param>
    public static async Task<RunOutcome> RunAsync(IRunPort port, RunSpec spec)
    {
        ArgumentNullException.ThrowIfNull(port);
        ArgumentNullException.ThrowIfNull(spec);

        var startedAt = port.UtcNow;
        port.PublishStatus(new RunStatus(RunPhase.Preparing));
        var preparation = await port.PrepareContainerAsync(spec);
        if (preparation.Container is not { } container)
            return await ReportAsync(port, new RunEnding { Spec = spec, StartedAt = startedAt, FinishedAt = port.UtcNow, Refusals = preparation.Refusals });

        port.PublishStatus(new RunStatus(RunPhase.Running));
        var workers = await FanOutAsync(port, spec, container.Target);
        var finishedAt = port.UtcNow;

        port.PublishStatus(new RunStatus(RunPhase.Verifying));
        var verification = await port.VerifyAsync(container);

        var outcome = await ReportAsync(port, new RunEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = finishedAt,
            Container = container,
            Workers = workers,
            Verification = verification,
        });

        if (container.Created && !spec.Container.Keep)
        {
            port.PublishStatus(new RunStatus(RunPhase.CleaningUp));
            await port.CleanUpAsync(container);
        }

        port.PublishStatus(new RunStatus(RunPhase.Ended, outcome));
        return outcome;
    }

    private static async Task<IReadOnlyList<WorkerOutcome>> FanOutAsync(IRunPort port, RunSpec spec, ContainerTarget container)
    {
        var all = new WorkerGroup { Spec = spec, Container = container, First = 0, Count = spec.Workers };
        if (spec.Workers <= GroupSize)
            return await GroupOrchestration.RunAsync(port, all);

        var groups = new List<Task<IReadOnlyList<WorkerOutcome>>>();
        for (var first = 0; first < spec.Workers; first += GroupSize)
            groups.Add(port.RunGroupAsync(all with { First = first, Count = Math.Min(GroupSize, spec.Workers - first) }));
        return [.. (await Task.WhenAll(groups)).SelectMany(outcomes => outcomes)];
    }

    private static Task<RunOutcome> ReportAsync(IRunPort port, RunEnding ending)
    {
        port.PublishStatus(new RunStatus(RunPhase.Reporting));
        return port.SaveReportAsync(ending);
    }
}
