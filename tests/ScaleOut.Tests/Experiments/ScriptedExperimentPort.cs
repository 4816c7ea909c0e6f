using System.Globalization;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;

namespace ScaleOut.Tests.Experiments;

/// <summary>An engine in memory whose runs follow a script. It writes down every call.</summary>
internal class ScriptedExperimentPort(Func<ExperimentRun, RunState> run) : IExperimentPort
{
    public List<string> Calls { get; } = [];

    public List<ExperimentStatus> Statuses { get; } = [];

    public ExperimentEnding? Ending { get; private set; }

    /// <summary>Runs before which the stop is asked for; none when null.</summary>
    public int? StopAfter { get; init; }

    /// <summary>Whether the stop is asked for in the first pause.</summary>
    public bool StopInPause { get; init; }

    /// <summary>Variants that cannot be measured.</summary>
    public IReadOnlyList<int> NotTestable { get; init; } = [];

    public DateTimeOffset UtcNow { get; private set; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public string? WhyNotTestable(ExperimentRun run) => NotTestable.Contains(run.Variant) ? "it needs more cores" : null;

    public virtual Task<bool> IsStopRequestedAsync() => Task.FromResult(
        (StopAfter is { } after && Calls.Count(call => call.StartsWith("run", StringComparison.Ordinal)) >= after)
        || (StopInPause && Calls.Any(call => call.StartsWith("wait", StringComparison.Ordinal))));

    public virtual Task<RunOutcome> RunAsync(ExperimentRun experimentRun)
    {
        Calls.Add($"run {experimentRun.Spec.Id}");
        UtcNow += TimeSpan.FromMinutes(1);
        try
        {
            var state = run(experimentRun);
            return Task.FromResult(new RunOutcome
            {
                RunId = experimentRun.Spec.Id!,
                State = state,
                Documents = new(),
                Remaining = 0,
                Reasons = state == RunState.Complete ? [] : [$"it is {state}"],
            });
        }
        catch (InvalidOperationException e)
        {
            return Task.FromException<RunOutcome>(e);
        }
    }

    public virtual Task DelayAsync(TimeSpan delay)
    {
        Calls.Add(string.Create(CultureInfo.InvariantCulture, $"wait {delay.TotalSeconds}"));
        return Task.CompletedTask;
    }

    public virtual Task<ExperimentOutcome> SaveReportAsync(ExperimentEnding ending)
    {
        Ending = ending;
        return Task.FromResult(new ExperimentOutcome
        {
            ExperimentId = ending.Spec.Id!,
            State = ending.Stopped ? ExperimentState.Stopped : ExperimentState.Complete,
            Runs = ending.Runs.Count,
            Complete = 0,
            NotComplete = 0,
            NotTestable = 0,
        });
    }

    public void PublishStatus(ExperimentStatus status) => Statuses.Add(status);
}
