namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Searches for a limit, from the call that starts them to their report, through what the app registers.</summary>
public sealed class LimitTests
{
    /// <summary>Documents per second above which the account throttles.</summary>
    private const double Planted = 150;

    private static readonly ExperimentSpec Search = new()
    {
        Id = "highest",
        Base = new JsonObject { ["workers"] = 2, ["container"] = new JsonObject { ["throughput"] = 1_000 } },
        Limit = new LimitSpec { From = 100, To = 1_000, Repeats = 1, Confidence = 0.9, Precision = 0.2 },
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_ThrottledAboveARate_FindsItAndReports()
    {
        await using var app = await TestApp.StartAsync(async leg =>
        {
            // A leg without a duration has no rate.
            await Task.Delay(20, Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        app.Legs.Measure = (leg, result) =>
        {
            var steps = leg.Assignment.Workload.Steps!;
            var attempts = 1_000;
            var throttled = steps[^1].Rate * leg.Assignment.Workers > Planted ? attempts / 2 : 0;
            return result with
            {
                Output = result.Output with { Counts = result.Counts with { Attempts = attempts, Throttled = throttled } },
                Steps =
                [
                    .. steps.Select((_, step) => new PartSample
                    {
                        Part = step, Operations = 500, OperationLatency = new(),
                        Counts = new() { Inserted = 500, Attempts = attempts, Throttled = throttled },
                    }),
                ],
            };
        };

        await TestExperiments.StartAsync(app, Search);
        var outcome = JsonSerializer.Deserialize<ExperimentOutcome>(
            await app.OutputOfAsync(ExperimentIds.InstanceId("highest")), ScaleOutJson.Compact)!;

        Assert.Equal((ExperimentState.Complete, LimitEnd.Refined), (outcome.State, outcome.Limit!.End));
        Assert.InRange(Planted, outcome.Limit.Low!.Value, outcome.Limit.High!.Value);
        Assert.InRange(outcome.Limit.High.Value / outcome.Limit.Low.Value, 1, 1.202);
        Assert.Equal(outcome.Runs, app.Legs.All.Select(leg => leg.Assignment.RunId).Distinct().Count());
        var json = await new ExperimentFiles(app.Store, "highest").ReadReportAsync("report.json", Cancellation);
        var report = LimitForms.Kind.Read(json!);
        Assert.Equal((outcome.Limit, LimitCause.Throttling), (report.Limit, report.Limit.StoppedBy));
        Assert.Equal("complete", (string?)(await app.StatusAsync("/api/experiments/highest"))["state"]);
        var (_, page) = await app.GetAsync("/api/experiments/highest/report?format=html");
        Assert.Contains(report.Limit.Text.Split(';')[0], page, StringComparison.Ordinal);
    }

    /// <summary>A search leaves no variant out: if an instance cannot run it, the search is rejected before it starts.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Start_RunsThatBindCores_IsAnErrorOfTheSpec()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var spec = Search with { Base = new JsonObject { ["client"] = new JsonObject { ["cores"] = 1 } } };

        var (response, text) = await app.PostAsync("/api/experiments", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));

        Assert.Equal(400, (int)response.StatusCode);
        Assert.Contains("base.client.cores", text, StringComparison.Ordinal);
        Assert.Empty(app.Legs.All);
    }
}
