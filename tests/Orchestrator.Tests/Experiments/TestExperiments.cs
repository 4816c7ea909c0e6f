using System.Text.Json.Nodes;
using Microsoft.DurableTask;
using ScaleOut.Experiments;
using ScaleOut.Orchestrator.Experiments;
using ScaleOut.Orchestrator.Tests.Engine;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Orchestrator.Tests.Experiments;

/// <summary>Experiments on the engine of a test.</summary>
internal static class TestExperiments
{
    /// <summary>Two variants, twice each: <c>v01-r01</c>, <c>v02-r01</c>, <c>v01-r02</c>, <c>v02-r02</c>.</summary>
    public static ExperimentSpec Pair(string id) => new()
    {
        Id = id,
        Base = new JsonObject { ["documents"] = 100, ["workers"] = 1, ["container"] = new JsonObject { ["throughput"] = 1_000 } },
        Variants =
        [
            new VariantSpec { Name = "gateway", Change = new JsonObject { ["client"] = new JsonObject { ["connectionMode"] = "Gateway" } } },
            new VariantSpec { Name = "direct", Change = new JsonObject { ["client"] = new JsonObject { ["connectionMode"] = "Direct" } } },
        ],
        Repeats = 2,
    };

    /// <summary>The app's own activities of experiments; no container is ever asked for.</summary>
    public static ExperimentActivities Activities(IRunStore store, IRunCatalog catalog) =>
        new(store, catalog, () => new ContainerControl(new AccountConnection { Endpoint = new Uri("https://127.0.0.1:9/"), Key = Convert.ToBase64String(new byte[64]) }), TimeProvider.System);

    public static Task<TestEngine> StartAsync(IRunStore store, IRunCatalog catalog, FakeActivities activities)
    {
        var experiments = Activities(store, catalog);
        return TestEngine.StartAsync(activities, tasks =>
        {
            tasks.AddOrchestratorFunc<ExperimentSpec, ExperimentOutcome>(ExperimentFunctionNames.ExperimentOrchestrator, (context, _) => ExperimentOrchestrator.RunAsync(context));
            tasks.AddActivityFunc<string, bool>(ExperimentFunctionNames.IsExperimentStopRequested, (_, id) => experiments.IsStopRequestedAsync(id, CancellationToken.None));
            tasks.AddActivityFunc<RunSpec, ExperimentRunClaim>(ExperimentFunctionNames.ClaimExperimentRun, (_, run) => experiments.ClaimRunAsync(run, CancellationToken.None));
            tasks.AddActivityFunc<ExperimentRunAgain, ExperimentRunClaim>(ExperimentFunctionNames.TakeUpExperimentRun, (_, run) => experiments.TakeUpRunAsync(run, CancellationToken.None));
            tasks.AddActivityFunc<ExperimentEnding, ExperimentOutcome>(ExperimentFunctionNames.SaveExperimentReport, (_, ending) => experiments.SaveReportAsync(ending, CancellationToken.None));
        });
    }
}
