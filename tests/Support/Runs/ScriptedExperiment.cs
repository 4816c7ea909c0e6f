namespace ScaleOut.Tests.Support.Runs;

/// <summary>An experiment on a scripted engine, whose runs follow a script. It writes down every step.</summary>
internal class ScriptedExperiment : ScriptedEngine
{
    private readonly Dictionary<string, PlannedRun> _runs;

    public ScriptedExperiment(ExperimentSpec spec, Func<PlannedRun, RunState> run)
    {
        Spec = spec;
        _runs = new GridPlanner(spec).All.ToDictionary(one => one.Spec.Id!);
        AddActivity<ExperimentSpec>(
            ExperimentFunctionNames.CheckVariants, _ => NotTestable.ToDictionary(variant => variant, _ => "it needs more cores"));
        AddActivity<string>(ExperimentFunctionNames.IsExperimentStopRequested, _ => IsStopRequested());
        AddActivity<ExperimentRunRequest>(ExperimentFunctionNames.ClaimExperimentRun, request =>
        {
            Requests.Add(request);
            return Claims.GetValueOrDefault(request.Spec.Id!, new ExperimentRunClaim());
        });
        AddActivity<ExperimentEnding>(ExperimentFunctionNames.SaveExperimentReport, Save);
        AddOrchestrator<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, (_, spec) => LaterAsync(RunOneAsync(spec, run)));
    }

    public ExperimentSpec Spec { get; }
    public List<string> Steps { get; } = [];
    public List<ExperimentStatus> Statuses { get; } = [];
    public List<ExperimentRunRequest> Requests { get; } = [];
    public ExperimentEnding? Ending { get; private set; }

    /// <summary>Claims of runs by their ids; runs without a claim here are to be run.</summary>
    public Dictionary<string, ExperimentRunClaim> Claims { get; } = [];

    /// <summary>How many runs begin before the stop is asked for; null for no stop.</summary>
    public int? StopAfter { get; init; }
    public bool StopInPause { get; init; }
    public IReadOnlyList<int> NotTestable { get; init; } = [];

    internal static RunOutcome OutcomeOf(string id, RunState state) =>
        new() { RunId = id, State = state, Remaining = 0, Reasons = state == RunState.Complete ? [] : [$"it is {state}"] };

    internal static ExperimentOutcome OutcomeOf(ExperimentEnding ending) => new()
    {
        ExperimentId = ending.Spec.Id!, State = ending.Stopped ? ExperimentState.Stopped : ExperimentState.Complete,
        Runs = ending.Runs.Count, Complete = 0, NotComplete = 0, NotTestable = 0,
    };

    public async Task<ExperimentOutcome> RunAsync(int attempt = 1) =>
        (await RunAsync(
            (context, turn) => ExperimentOrchestrator.RunAsync(context, turn, RunPlanner.From(turn.Spec)),
            new ExperimentTurn(Spec), ExperimentIds.InstanceId(Spec.Id!, attempt)))!;

    protected override void OnStatus(object status) => Statuses.Add((ExperimentStatus)status);

    protected override void OnWait(TimeSpan delay) => Steps.Add(string.Create(CultureInfo.InvariantCulture, $"wait {delay.TotalSeconds}"));

    private object IsStopRequested() =>
        (StopAfter is { } after && Steps.Count(step => step.StartsWith("run", StringComparison.Ordinal)) >= after)
        || (StopInPause && Steps.Any(step => step.StartsWith("wait", StringComparison.Ordinal)));

    private Task<RunOutcome> RunOneAsync(RunSpec spec, Func<PlannedRun, RunState> run)
    {
        Steps.Add($"run {spec.Id}");
        UtcNow += TimeSpan.FromMinutes(1);
        return Task.FromResult(OutcomeOf(spec.Id!, run(_runs[spec.Id!])));
    }

    private ExperimentOutcome Save(ExperimentEnding ending)
    {
        Ending = ending;
        return OutcomeOf(ending);
    }
}
