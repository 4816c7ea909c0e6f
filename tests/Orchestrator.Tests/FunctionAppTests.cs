namespace ScaleOut.Orchestrator.Tests;

public sealed class FunctionAppTests
{
    /// <summary>The Functions host finds every function of the app and its trigger.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Functions_OfTheApp_AreIndexedAndLoaded()
    {
        await using var host = await FunctionsHost.StartAsync();

        string[] NamesOf(string trigger) => [.. host.Functions.Values.Where(
            function => function.TriggerType == trigger).Select(function => function.Name).Order(StringComparer.Ordinal)];
        Assert.Equal(
            [
                ExperimentFunctionNames.ExperimentOrchestrator, FunctionNames.GroupOrchestrator, FunctionNames.RunOrchestrator,
                FunctionNames.WorkerOrchestrator,
            ],
            NamesOf("orchestrationTrigger"));
        Assert.Equal(
            new[]
            {
                FunctionNames.AdmitRun, FunctionNames.PrepareContainer, FunctionNames.RunLeg, FunctionNames.ChangeThroughput,
                FunctionNames.VerifyContainer,
                FunctionNames.SaveReport, FunctionNames.SaveKeptReport, FunctionNames.CleanUp, FunctionNames.EndRun,
                ExperimentFunctionNames.CheckVariants, ExperimentFunctionNames.IsExperimentStopRequested,
                ExperimentFunctionNames.ClaimExperimentRun,
                ExperimentFunctionNames.JudgeRate, ExperimentFunctionNames.SaveExperimentReport,
            }.Order(StringComparer.Ordinal),
            NamesOf("activityTrigger"));
        Assert.Equal(
            [
                "compare", "experiments", "experiments", "experiments/{id}", "experiments/{id}/report", "experiments/{id}/resume",
                "experiments/{id}/stop", "runs", "runs", "runs/{id}", "runs/{id}/report", "runs/{id}/resume", "runs/{id}/stop",
            ],
            host.Functions.Values.Where(function => function.TriggerType == "httpTrigger").Select(
                function => (string)function.Trigger.Value["route"]!).Order(StringComparer.Ordinal));
        Assert.All(host.Functions.Values.Where(function => function.TriggerType == "httpTrigger"), function => Assert.Equal(
            "Function", (string?)function.Trigger.Value["authLevel"]));
        Assert.Equal(["KeepProgress"], NamesOf("queueTrigger"));
        Assert.Equal(["DeleteLeftContainers", "PurgeHistory", "ReportLostRuns"], NamesOf("timerTrigger"));
    }

    /// <summary>The host calls the one function of a route that declares the request's method, and finds none if two do.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Functions_OfOneRoute_ShareNoMethod()
    {
        await using var host = await FunctionsHost.StartAsync();

        HttpMethod[] methods =
        [
            HttpMethod.Get, HttpMethod.Head, HttpMethod.Post, HttpMethod.Put, HttpMethod.Patch, HttpMethod.Delete, HttpMethod.Options,
            HttpMethod.Trace,
        ];
        var routes = host.Functions.Values.Where(function => function.TriggerType == "httpTrigger")
            .GroupBy(function => (string)function.Trigger.Value["route"]!);
        Assert.All(routes, route => Assert.All(methods, method => Assert.Single(route, function => function.Accepts(method))));
    }
}
