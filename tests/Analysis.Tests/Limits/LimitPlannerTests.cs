namespace ScaleOut.Tests.Analysis.Limits;

public sealed class LimitPlannerTests
{
    private static readonly ExperimentSpec Spec = new()
    {
        Id = "orders", Base = new JsonObject { ["workers"] = 2 },
        Limit = new LimitSpec { Precision = 0.2, Repeats = 1, Confidence = 0.95 }, Pause = TimeSpan.FromSeconds(5),
    };

    [Fact]
    public async Task Run_SearchForALimit_MeasuresWhatItAsksForAndReports()
    {
        var engine = new ScriptedSearch(Spec, limit: 1_000);
        var outcome = await engine.RunAsync();

        Assert.Equal(["orders-1000e2r01", "orders-2000e2r01", "orders-4000e2r01", "orders-8000e2r01"], engine.Ran.Take(4));
        var decision = LimitSearch.Next(Spec.Limit!, engine.Ending!.Runs);
        Assert.Equal(LimitEnd.Refined, decision.End);
        Assert.InRange(900, decision.Bracket.Low!.Value, decision.Bracket.High!.Value);
        Assert.Equal(engine.Ran, engine.Ending.Runs.Select(one => one.RunId));
        Assert.False(engine.Ending.Stopped);
        Assert.Equal(engine.Ran.Count - 1, engine.Waits.Count);
        Assert.Equal((ExperimentPhase.Ended, outcome), (engine.Statuses[^1].Phase, engine.Statuses[^1].Outcome));
        Assert.Equal("100/s", engine.Statuses[0].Variant);
        Assert.All(engine.Statuses, status => Assert.True(PayloadLimits.SizeOf(status) < PayloadLimits.StatusBytes));
    }

    [Fact]
    public async Task Run_StoppedAndResumed_ComesToTheSameRunsAndMeasuresTheRest()
    {
        var whole = new ScriptedSearch(Spec, limit: 1_000);
        await whole.RunAsync();
        var stopped = new ScriptedSearch(Spec, limit: 1_000) { StopAfter = 3 };
        await stopped.RunAsync();

        Assert.Equal((true, 3), (stopped.Ending!.Stopped, stopped.Ending.Runs.Count));

        var resumed = new ScriptedSearch(Spec, limit: 1_000, measured: stopped.Ran);
        await resumed.RunAsync();

        Assert.Equal(whole.Ran.Skip(3), resumed.Ran);
        Assert.Equal(whole.Ending!.Runs, resumed.Ending!.Runs);
    }

    [Fact]
    public async Task Run_RunsThatFail_AreNoMeasurementsAndEndTheSearch()
    {
        var engine = new ScriptedSearch(Spec, limit: 1_000) { State = RunState.Failed };
        await engine.RunAsync();
        Assert.Equal((LimitEnd.GivenUp, 3), (LimitSearch.Next(Spec.Limit!, engine.Ending!.Runs).End, engine.Ending.Runs.Count));
        Assert.All(engine.Ending.Runs, one => Assert.Equal((null, "it is Failed"), (one.Held, one.Reason)));
    }

    /// <summary>Each run reads what the base's preload wrote. A run that deletes needs a document for each operation.</summary>
    [Theory]
    [InlineData("""{ "kind": "read", "preload": 50 }""", 50)]
    [InlineData("""{ "action": ["read", "insert"], "preload": 50 }""", 50)]
    [InlineData("""{ "kind": "delete" }""", null)]
    [InlineData("""{ "action": ["delete", "insert"] }""", null)]
    public void PlanOf_WorkloadOnDocuments_KeepsThePreloadUnlessItDeletes(string workload, int? preload) => Assert.Equal(
        preload,
        LimitPlanner.PlanOf(Spec with { Base = new JsonObject { ["workload"] = JsonNode.Parse(workload) } }, rate: 100).Workload.Preload);

    /// <summary>A search on a scripted engine against a system with a limit.</summary>
    private sealed class ScriptedSearch : ScriptedEngine
    {
        private readonly ExperimentSpec _spec;

        public ScriptedSearch(ExperimentSpec spec, double limit, IReadOnlyCollection<string>? measured = null)
        {
            _spec = spec;
            RunOutcome Outcome(string id) => ScriptedExperiment.OutcomeOf(id, State);
            AddActivity<string>(ExperimentFunctionNames.IsExperimentStopRequested, _ => Ran.Count >= StopAfter);
            AddActivity<ExperimentRunRequest>(ExperimentFunctionNames.ClaimExperimentRun, request => new ExperimentRunClaim
            {
                Measured = measured?.Contains(request.Spec.Id!) == true ? Outcome(request.Spec.Id!) : null,
            });
            AddActivity<ExperimentSpec>(ExperimentFunctionNames.CheckVariants, _ => new Dictionary<int, string>());
            AddActivity<RateQuestion>(
                ExperimentFunctionNames.JudgeRate, question => question.Run with { Held = question.Run.Rate <= limit * 0.9 });
            AddActivity<ExperimentEnding>(ExperimentFunctionNames.SaveExperimentReport, ending =>
            {
                Ending = ending;
                return ScriptedExperiment.OutcomeOf(ending);
            });
            AddOrchestrator<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, (_, run) =>
            {
                Ran.Add(run.Id!);
                return Task.FromResult(Outcome(run.Id!));
            });
        }

        public List<string> Ran { get; } = [];
        public List<ExperimentStatus> Statuses { get; } = [];
        public ExperimentEnding? Ending { get; private set; }
        public int StopAfter { get; init; } = int.MaxValue;
        public RunState State { get; init; } = RunState.Complete;

        public async Task<ExperimentOutcome> RunAsync() => (await RunAsync(
            (context, turn) => ExperimentOrchestrator.RunAsync(context, turn, new LimitPlanner(turn.Spec)),
            new ExperimentTurn(_spec), ExperimentIds.InstanceId(_spec.Id!)))!;

        protected override void OnStatus(object status) => Statuses.Add((ExperimentStatus)status);
    }
}
