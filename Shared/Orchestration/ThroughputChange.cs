namespace ScaleOut.Orchestration;

/// <summary>A step of <see cref="ContainerSpec.ThroughputSteps"/>, as the activity gets it.</summary>
/// <param name="Autoscale">Whether <paramref name="Throughput"/> is the maximum of autoscale.</param>
/// <param name="AfterSeconds">When it is due, since the common start of the workers.</param>
public sealed record ThroughputChange(string RunId, ContainerTarget Target, bool Autoscale, int Throughput, double AfterSeconds);

/// <summary>The result of a step: one of the two is set, or none if the run was stopped.</summary>
public sealed record ThroughputChangeResult
{
    /// <summary>When the container had the RU/s; null if they are not changed.</summary>
    public DateTimeOffset? At { get; init; }

    /// <summary>
    /// Time until the step is due, or until the next call if the due time is not known yet; null if no further call is needed.
    /// </summary>
    public double? DueInSeconds { get; init; }
}

/// <summary>RU/s that a run's container had from some time on.</summary>
/// <param name="At">When the account had accepted them.</param>
public sealed record AppliedThroughput(int Throughput, DateTimeOffset At);

/// <summary>
/// Changes the throughput of a run's own container at the times of its spec, while the workers are at work. A change that fails is a reason
/// in the run's ending, and the run goes on.
/// </summary>
internal sealed class ThroughputStepper(IOrchestrationContext context, RunSpec spec, PreparedContainer container)
{
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(30);

    private Task _call = Task.CompletedTask;
    private bool _over;

    /// <summary>The changes that were made, in their order.</summary>
    public List<AppliedThroughput> Applied { get; } = [];

    /// <summary>Why others were not made, as sentences.</summary>
    public List<string> Failures { get; } = [];

    /// <summary>Makes the changes that become due before <see cref="EndAsync"/>. The caller need not await it.</summary>
    public async Task RunAsync()
    {
        foreach (var step in container.Created ? spec.Container.ThroughputSteps ?? [] : [])
        {
            for (var isDone = false; !isDone;)
            {
                var call = CallAsync(step);
                _call = call;
                var wait = await call;
                isDone = wait is null;
                if (_over || wait == TimeSpan.Zero)
                    return;
                if (wait is { } due)
                    await context.CreateTimer(due < MaxWait ? due : MaxWait);
                if (_over)
                    return;
            }
        }
    }

    /// <summary>Makes no more changes, and waits for one that is under way.</summary>
    public Task EndAsync()
    {
        _over = true;
        return _call;
    }

    /// <summary>Time to wait; null once the step is done or has failed, zero if no step is to be made any more.</summary>
    private async Task<TimeSpan?> CallAsync(ThroughputStep step)
    {
        try
        {
            var change = new ThroughputChange(
                spec.Id!, container.Target, spec.Container.Autoscale, step.Throughput, step.AfterSeconds);
            var result = await context.CallActivityAsync<ThroughputChangeResult>(
                FunctionNames.ChangeThroughput, change, ActivityOptions.WhilePreparing);
            if (result.At is { } at)
                Applied.Add(new AppliedThroughput(step.Throughput, at));
            return result.At is not null ? null : TimeSpan.FromSeconds(result.DueInSeconds ?? 0);
        }
        catch (OrchestrationTaskException e)
        {
            Failures.Add(FormattableString.Invariant(
                $"The RU/s were not set to {step.Throughput} after {step.AfterSeconds} s: {LegOutput.Shorten(e.Message)}"));
            return null;
        }
    }
}
