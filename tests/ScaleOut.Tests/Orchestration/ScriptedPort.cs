using System.Globalization;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Orchestration;

/// <summary>An engine in memory whose legs follow a script. Its clock moves only when the orchestration waits; it writes down every call.</summary>
internal class ScriptedPort(Func<LegInput, LegOutput> runLeg) : IRunPort
{
    public static readonly ContainerTarget Target = new("scaleout", "run-test", "/PartitionKey");

    public List<string> Calls { get; } = [];

    public List<LegInput> Legs { get; } = [];

    public List<TimeSpan> Waits { get; } = [];

    public List<RunStatus> Statuses { get; } = [];

    public List<WorkerGroup> Groups { get; } = [];

    public RunEnding? Ending { get; private set; }

    public int Turns { get; private set; }

    public int CleanUps { get; private set; }

    public Preparation Preparation { get; init; } = new()
    {
        Container = new() { Target = Target, Created = true, Simulated = true, CountBefore = 0 },
    };

    public Func<long?> Count { get; init; } = () => null;

    public Exception? CleanUpFault { get; init; }

    public Exception? GroupFault { get; init; }

    /// <summary>Workers whose engine breaks.</summary>
    public IReadOnlyList<int> BrokenWorkers { get; init; } = [];

    public string RunInstanceId { get; init; } = "run-test";

    public DateTimeOffset UtcNow { get; private set; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public virtual Task<Preparation> PrepareContainerAsync(RunSpec spec) => Note("prepare", Preparation);

    public Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(WorkerGroup group)
    {
        Groups.Add(group);
        Calls.Add($"group {group.First}+{group.Count}");
        return GroupFault is null ? GroupOrchestration.RunAsync(this, group) : Task.FromException<IReadOnlyList<WorkerOutcome>>(GroupFault);
    }

    public async Task<WorkerOutcome> RunWorkerAsync(WorkerState worker)
    {
        if (BrokenWorkers.Contains(worker.Assignment.Worker))
            throw new InvalidOperationException("the engine broke");
        while (true)
        {
            Turns++;
            var turn = await WorkerOrchestration.RunTurnAsync(this, worker);
            if (turn.Outcome is { } outcome)
                return outcome;
            worker = turn.Continue!;
        }
    }

    public virtual Task<LegOutput> RunLegAsync(LegInput leg)
    {
        Legs.Add(leg);
        Calls.Add(string.Create(CultureInfo.InvariantCulture, $"leg {leg.Assignment.Worker}/{leg.Leg} from {leg.Next}"));
        try
        {
            return Task.FromResult(runLeg(leg));
        }
        catch (LegLostException e)
        {
            return Task.FromException<LegOutput>(e);
        }
    }

    public virtual Task<Verification> VerifyAsync(PreparedContainer container) => Note("verify", new Verification(Count()));

    public virtual Task<RunOutcome> SaveReportAsync(RunEnding ending)
    {
        Ending = ending;
        return Note("report", new RunOutcome
        {
            RunId = ending.Spec.Id!,
            State = ending.Container is null ? RunState.Failed : RunState.Complete,
            Documents = new() { Inserted = ending.Workers.Sum(worker => worker.Documents.Inserted) },
            Remaining = ending.Workers.Sum(worker => worker.Remaining),
        });
    }

    public virtual Task CleanUpAsync(PreparedContainer container)
    {
        CleanUps++;
        Calls.Add("clean up");
        return CleanUpFault is null ? Task.CompletedTask : Task.FromException(CleanUpFault);
    }

    public virtual Task DelayAsync(TimeSpan delay)
    {
        Waits.Add(delay);
        UtcNow += delay;
        Calls.Add($"wait {delay}");
        return Task.CompletedTask;
    }

    public void PublishStatus(RunStatus status)
    {
        Statuses.Add(status);
        Calls.Add($"status {status.Phase}");
    }

    private Task<T> Note<T>(string call, T result)
    {
        Calls.Add(call);
        return Task.FromResult(result);
    }
}
