using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using ScaleOut.Orchestrator.Maintenance;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Hosting;

namespace ScaleOut.Orchestrator.Tests.Maintenance;

/// <summary>The timer, as the Functions host calls it.</summary>
public sealed class MaintenanceFunctionsTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>There are three runs: one is lost, one is under way, and one has deleted its container.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Timer_RunThatTheEngineForgot_LosesItsContainerAndNoOtherDoes()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held.Task);
        await LeaveAsync(app, "forgotten");

        var response = await app.Host.InvokeAsync(app.Host.Functions["DeleteLeftContainers"], new JsonObject { ["json"] = Timer });
        var deleted = app.Containers.Deleted.ToList();
        held.SetResult();
        await app.EndOfAsync("alive");

        FunctionsHost.AssertSucceeded(response);
        Assert.Equal(["run-ended", "run-forgotten"], deleted);
        Assert.True(await new RunFiles(app.Store, "forgotten").IsContainerGoneAsync(Cancellation));
        Assert.Equal("0 */15 * * * *", (string?)app.Host.Functions["DeleteLeftContainers"].Trigger.Value["schedule"]);
    }

    /// <summary>There are three runs: one is lost without a report, one is under way, and one has ended.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Timer_RunWithoutAReport_IsFoundAndNoOtherIs()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held.Task);
        await LeaveAsync(app, "forgotten", TimeSpan.FromHours(2));

        var response = await app.Host.InvokeAsync(app.Host.Functions["ReportLostRuns"], new JsonObject { ["json"] = Timer });
        held.SetResult();
        await app.EndOfAsync("alive");

        FunctionsHost.AssertSucceeded(response);
        Assert.Single(await app.Store.ListAsync("forgotten", "lost/", Cancellation));
        Assert.Empty(await app.Store.ListAsync("ended", "lost/", Cancellation));
        Assert.Empty(await app.Store.ListAsync("alive", "lost/", Cancellation));
    }

    /// <summary>A run has ended and one is under way; then 31 days pass.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Timer_HistoryThatIsOld_IsPurgedUnlessTheRunIsUnderWay()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held.Task);

        FunctionsHost.AssertSucceeded(
            await app.Host.InvokeAsync(app.Host.Functions["PurgeHistory"], new JsonObject { ["json"] = Timer }));
        Assert.True(await IsKnownAsync("ended"));

        var old = new MaintenanceFunctions(
            null!, null!, app.Store, Options.Create(Settings()), new ShiftedTime(TimeSpan.FromDays(31)),
            NullLogger<MaintenanceFunctions>.Instance);
        await old.PurgeHistoryAsync(null!, app.Host.Engine, Cancellation);

        Assert.Equal((false, false), (await IsKnownAsync("ended"), await IsKnownAsync("ended:worker-0000")));
        Assert.Equal((true, true), (await IsKnownAsync("alive"), await IsKnownAsync("alive:worker-0000")));
        held.SetResult();
        await app.EndOfAsync("alive");
        // What is kept of a run is not in the engine.
        Assert.Equal("complete", (string?)(await app.StatusAsync("/api/runs/ended"))["state"]);

        async Task<bool> IsKnownAsync(string id) => await app.Host.Engine.GetInstanceAsync(id, Cancellation) is not null;
        static HostSettings Settings() => new()
        {
            Account = new() { Endpoint = new("https://localhost") }, RunStore = new(),
        };
    }

    private static string Timer { get; } = new JsonObject
    {
        ["Schedule"] = new JsonObject { ["AdjustForDST"] = true },
        ["ScheduleStatus"] =
            new JsonObject { ["Last"] = "2026-01-01T00:00:00", ["LastUpdated"] = "2026-01-01T00:00:00", ["Next"] = "2026-01-01T00:15:00" },
        ["IsPastDue"] = false,
    }.ToJsonString();

    /// <summary>The app with a run that has ended, and one that is under way until a task ends.</summary>
    private static async Task<TestApp> StartAsync(Task held)
    {
        var app = await TestApp.StartAsync(async leg =>
        {
            if (leg.Assignment.RunId == "alive")
                await held.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        await app.RunAsync(Spec("ended"));
        await app.StartRunAsync(Spec("alive"));
        while (app.Legs.All.Count < 2)
            await Task.Delay(20, Cancellation);
        return app;
    }

    private static RunSpec Spec(string id) => new() { Id = id, Documents = 10, Workers = 1 };

    /// <summary>A run with its own container that the engine no longer knows.</summary>
    private static async Task LeaveAsync(TestApp app, string id, TimeSpan? ago = null)
    {
        var files = new RunFiles(app.Store, id);
        await files.TryClaimAsync(Spec(id), Cancellation);
        await app.Catalog.AddAsync(new RunListing(id, Name: null, DateTimeOffset.UtcNow - (ago ?? TimeSpan.FromDays(2))), Cancellation);
        await app.Containers.PrepareAsync(Spec(id), app.Store, Cancellation);
    }
}
