using ScaleOut.Slicing;
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
        var outcome = preparation.Container is { } container
            ? await RunInAsync(port, spec, container, startedAt)
            : await ReportAsync(port, new RunEnding
            {
                Spec = spec,
                StartedAt = startedAt,
                FinishedAt = port.UtcNow,
                StoppedInPreparation = preparation.Stopped,
                Refusals = preparation.Refusals,
            });
        port.PublishStatus(new RunStatus(RunPhase.Ended, outcome));
        return outcome;
    }

    private static async Task<RunOutcome> RunInAsync(IRunPort port, RunSpec spec, PreparedContainer container, DateTimeOffset startedAt)
    {
        port.PublishStatus(new RunStatus(RunPhase.Running));
        var workers = await FanOutAsync(port, spec, container.Target);
        var finishedAt = port.UtcNow;

        var verification = VerificationRule.Nothing;
        if (!spec.Workload.Kind.LeavesCount())
        {
            port.PublishStatus(new RunStatus(RunPhase.Verifying));
            verification = VerificationRule.Of(spec, await port.VerifyAsync(container), workers);
        }

        var outcome = await ReportAsync(port, new RunEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = finishedAt,
            Container = container,
            Workers = workers,
            Verification = verification,
        });
        return container.Created && !spec.Container.Keep ? await CleanUpAsync(port, container, outcome) : outcome;
    }

    private static async Task<IReadOnlyList<WorkerOutcome>> FanOutAsync(IRunPort port, RunSpec spec, ContainerTarget container)
    {
        var all = new WorkerGroup { Spec = spec, Container = container, First = 0, Count = spec.Workers };
        if (spec.Workers <= GroupSize)
            return await GroupOrchestration.RunAsync(port, all);

        var groups = new List<Task<IReadOnlyList<WorkerOutcome>>>();
        for (var first = 0; first < spec.Workers; first += GroupSize)
            groups.Add(RunGroupAsync(port, all with { First = first, Count = Math.Min(GroupSize, spec.Workers - first) }));
        return [.. (await Task.WhenAll(groups)).SelectMany(outcomes => outcomes)];
    }

    private static async Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(IRunPort port, WorkerGroup group)
    {
        try
        {
            return await port.RunGroupAsync(group);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            var slices = Slices.Cut(group.Spec.Documents, group.Spec.Workers, group.Spec.Workload.DocumentsPerOperation);
            return [.. Enumerable.Range(group.First, group.Count).Select(worker => GroupOrchestration.Broken(worker, slices[worker], e))];
        }
    }

    /// <summary>A container that cannot be deleted is told of; it takes nothing back of what was measured.</summary>
    private static async Task<RunOutcome> CleanUpAsync(IRunPort port, PreparedContainer container, RunOutcome outcome)
    {
        port.PublishStatus(new RunStatus(RunPhase.CleaningUp));
        try
        {
            await port.CleanUpAsync(container);
            return outcome;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            var (database, name, _) = container.Target;
            return outcome with { Reasons = [.. outcome.Reasons, $"The container {database}/{name} could not be deleted: {LegOutput.Shorten(e.Message)}"] };
        }
    }

    private static Task<RunOutcome> ReportAsync(IRunPort port, RunEnding ending)
    {
        port.PublishStatus(new RunStatus(RunPhase.Reporting));
        return port.SaveReportAsync(ending);
    }
}
