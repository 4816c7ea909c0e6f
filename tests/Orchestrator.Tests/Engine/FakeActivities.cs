using System.Collections.Concurrent;
using ScaleOut.Measurement;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.Orchestrator.Tests.Engine;

/// <summary>Activities that put documents nowhere. Legs follow the test's script; everything else counts what they did.</summary>
/// <param name="runLegAsync">A leg; what it throws is a failed activity.</param>
internal sealed class FakeActivities(Func<LegInput, Task<LegOutput>> runLegAsync)
{
    private readonly ConcurrentQueue<LegInput> _legs = new();
    private readonly ConcurrentDictionary<string, long> _documents = new();
    private readonly ConcurrentDictionary<string, int> _calls = new();
    private int _cleanUps;

    public FakeActivities(Func<LegInput, LegOutput> runLeg)
        : this(leg => Task.FromResult(runLeg(leg)))
    {
    }

    /// <summary>Legs in the order of their calls, tries again included.</summary>
    public IReadOnlyCollection<LegInput> Legs => _legs;

    public int CleanUps => _cleanUps;

    public RunEnding? Ending { get; private set; }

    /// <summary>Where legs' results and the real report go; null for none.</summary>
    public IRunStore? Store { get; init; }

    /// <summary>Calls of each step that fail before one does not.</summary>
    public int FailuresOfEachStep { get; init; }

    public Preparation PrepareContainer(RunSpec spec)
    {
        FailAtFirst(nameof(PrepareContainer));
        _documents[NameOf(spec.Id!)] = 0;
        return new Preparation
        {
            Container = new() { Target = new("scaleout", NameOf(spec.Id!), "/PartitionKey"), Created = true, Simulated = false, CountBefore = 0, BudgetPerSecond = 60_000 },
        };
    }

    public async Task<LegOutput> RunLegAsync(LegInput leg)
    {
        _legs.Enqueue(leg);
        var output = await runLegAsync(leg);
        _documents.AddOrUpdate(NameOf(leg.Assignment.RunId), output.Inserted, (_, there) => there + output.Inserted);
        if (Store is not null)
            await new RunFiles(Store, leg.Assignment.RunId).KeepResultAsync(ResultOf(output), CancellationToken.None);
        return output;
    }

    public Verification VerifyContainer(PreparedContainer container)
    {
        FailAtFirst(nameof(VerifyContainer));
        return new Verification(_documents[container.Target.Name] + container.CountBefore);
    }

    public async Task<RunOutcome> SaveReportAsync(RunEnding ending)
    {
        FailAtFirst("SaveReport");
        Ending = ending;
        if (Store is not null)
            return await ReportSaver.SaveAsync(Store, ending, CancellationToken.None);
        var documents = new DocumentCounts { Inserted = ending.Workers.Sum(worker => worker.Documents.Inserted) };
        return new RunOutcome
        {
            RunId = ending.Spec.Id!,
            State = ending.Workers.All(worker => worker.End == WorkerEnd.Done) ? RunState.Complete
                : ending.Workers.Any(worker => worker.End == WorkerEnd.Failed) ? RunState.Failed : RunState.Stopped,
            Documents = documents,
            Remaining = ending.Workers.Sum(worker => worker.Remaining),
            Verified = ending.Verification?.Verified,
            Reasons = [.. ending.Workers.Select(worker => worker.Reason).OfType<string>().Take(10)],
        };
    }

    public void CleanUp(PreparedContainer container)
    {
        FailAtFirst(nameof(CleanUp));
        Assert.True(container.Created);
        Interlocked.Increment(ref _cleanUps);
    }

    private static LegResult ResultOf(LegOutput output) => new()
    {
        Output = output,
        Attempt = 1,
        StartedAt = DateTimeOffset.UnixEpoch,
        EndedAt = DateTimeOffset.UnixEpoch.AddSeconds(1),
        AttemptLatency = new(),
        OperationLatency = new(),
        Machine = new() { InstanceId = "fake", ProcessId = 1, Cores = 1, MemoryBytes = 1 },
    };

    private static string NameOf(string runId) => "run-" + runId;

    private void FailAtFirst(string step)
    {
        if (_calls.AddOrUpdate(step, 1, (_, calls) => calls + 1) <= FailuresOfEachStep)
            throw new TimeoutException($"{step} took too long.");
    }
}
