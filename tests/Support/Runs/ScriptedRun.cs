namespace ScaleOut.Tests.Support.Runs;

/// <summary>A run on a scripted engine, whose legs follow a script. It writes down every step.</summary>
internal class ScriptedRun : ScriptedEngine
{
    public static readonly ContainerTarget Target = new("scaleout", "run-test", "/PartitionKey");

    private int _admissions;

    public ScriptedRun(Func<LegInput, LegOutput> runLeg)
    {
        AddOrchestrator<WorkerGroup, IReadOnlyList<WorkerOutcome>>(FunctionNames.GroupOrchestrator, GroupOrchestrator.RunAsync);
        AddOrchestrator<LegInput, WorkerOutcome?>(FunctionNames.WorkerOrchestrator, WorkerOrchestrator.RunAsync);
        AddActivity<RunSpec>(FunctionNames.AdmitRun, _ => _admissions++ < AdmissionsBefore
            ? new Admission(AdmissionState.Waiting, RunsAhead: 1)
            : new Admission(StoppedWhileWaiting ? AdmissionState.Stopped : AdmissionState.Admitted));
        AddActivity<RunSpec>(
            FunctionNames.PrepareContainer, _ => Note("prepare", PreparationError is null ? Preparation : throw PreparationError));
        AddActivity<LegInput>(FunctionNames.RunLeg, leg =>
        {
            Legs.Add(leg);
            Note(string.Create(CultureInfo.InvariantCulture, $"leg {leg.Assignment.Worker}/{leg.Leg} from {leg.Next}"), leg);
            return runLeg(leg);
        });
        AddActivity<ThroughputChange>(FunctionNames.ChangeThroughput, change =>
        {
            Steps.Add($"change to {change.Throughput}");
            return ChangeThroughput(change);
        });
        AddActivity<PreparedContainer>(FunctionNames.VerifyContainer,
            _ => Note("verify", VerificationError is null ? new Verification(Count()) : throw VerificationError));
        AddActivity<RunEnding>(FunctionNames.SaveReport, Save);
        AddActivity<RunEnded>(FunctionNames.EndRun, ended =>
        {
            Ended = ended;
            return Note<object>("end", true);
        });
        AddActivity<PreparedContainer>(FunctionNames.CleanUp, _ =>
        {
            CleanUps++;
            return Note<object>("clean up", CleanUpError is null ? true : throw CleanUpError);
        });
    }

    public List<string> Steps { get; } = [];
    public List<LegInput> Legs { get; } = [];
    public List<RunStatus> Statuses { get; } = [];
    public List<WorkerGroup> Groups { get; } = [];
    public RunEnding? Ending { get; private set; }
    public RunEnded? Ended { get; private set; }
    public int CleanUps { get; private set; }

    /// <summary>Whether results of legs are found to be damaged when the report is made.</summary>
    public bool MissesLegs { get; init; }

    /// <summary>State in the report of a run that had its container.</summary>
    public RunState State { get; init; } = RunState.Complete;

    /// <summary>How often the run waits before it is admitted.</summary>
    public int AdmissionsBefore { get; init; }
    public bool StoppedWhileWaiting { get; init; }
    public Preparation Preparation { get; init; } = new() { Container = Prepared(simulated: true) };
    public Func<long?> Count { get; init; } = () => null;

    /// <summary>Whether an earlier start of the run had its container.</summary>
    public bool WasPrepared { get; init; }
    public Exception? PreparationError { get; init; }
    public Func<ThroughputChange, ThroughputChangeResult> ChangeThroughput { get; init; } = _ => new ThroughputChangeResult();
    public Exception? VerificationError { get; init; }
    public Exception? CleanUpError { get; init; }
    public Exception? GroupError { get; init; }
    public IReadOnlyList<int> BrokenWorkers { get; init; } = [];

    public static PreparedContainer Prepared(bool created = true, bool simulated = false) =>
        new() { Target = Target, Created = created, Simulated = simulated, CountBefore = 0 };

    public async Task<RunOutcome> RunAsync(RunSpec spec) => (await RunAsync(RunOrchestrator.RunAsync, spec, spec.Id!))!;

    public async Task<WorkerOutcome> RunWorkerAsync(LegInput worker) =>
        (await RunAsync(WorkerOrchestrator.RunAsync, worker, ChildIds.Worker("test", worker.Assignment.Worker)))!;

    protected override void OnStatus(object status)
    {
        Statuses.Add((RunStatus)status);
        Steps.Add($"status {Statuses[^1].Phase}");
    }

    protected override void OnWait(TimeSpan delay) => Steps.Add($"wait {delay}");

    protected override void OnChild(string name, object? input, string instanceId)
    {
        if (input is WorkerGroup group)
        {
            Groups.Add(group);
            Steps.Add($"group {group.First}+{group.Count}");
            if (GroupError is not null)
                throw new OrchestrationTaskException(name, GroupError.GetType().FullName!, GroupError.Message, GroupError);
        }

        if (input is LegInput worker && BrokenWorkers.Contains(worker.Assignment.Worker))
            throw new OrchestrationTaskException(name, typeof(InvalidOperationException).FullName!, "the engine broke");
    }

    private RunOutcome Save(RunEnding ending)
    {
        Ending = ending;
        return Note("report", new RunOutcome
        {
            RunId = ending.Spec.Id!, State = ending.Container is null ? RunState.Failed : State,
            NothingChanged = ending.Container is null && WasPrepared, MissesLegs = MissesLegs,
            Counts = new() { Inserted = ending.Workers.Sum(worker => worker.Counts.Inserted) },
            Remaining = ending.Workers.Sum(worker => worker.Remaining),
        });
    }

    private T Note<T>(string step, T result)
    {
        Steps.Add(step);
        return result;
    }
}
