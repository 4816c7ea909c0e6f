namespace ScaleOut.Orchestrator.Tests.Progress;

/// <summary>The queue trigger, as the Functions host calls it with the text of a message.</summary>
public sealed class ProgressFunctionsTests
{
    private const string Run = """{"id": "run", "documents": 100, "workers": 2, "container": {"throughput": 1000}}""";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Message_OfARunUnderWay_IsShownInItsStatus()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held);

        var returned = await SendAsync(app, ProgressMessage.Write(Message(inserted: 30)));
        await SendAsync(app, ProgressMessage.Write(Message(inserted: 40) with { Worker = 1, Sequence = 2 }));
        await SendAsync(app, ProgressMessage.Write(Message(inserted: 10) with { Worker = 1 }));
        var status = await app.StatusAsync("/api/runs/run");
        held.SetResult();
        await app.EndOfAsync("run");

        Assert.Null(returned);
        Assert.Equal(("running", 70), ((string?)status["state"], (int)status["done"]!));
        Assert.Equal([30, 40], status["workers"]!.AsArray().Select(worker => (int)worker!["done"]!));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Message_NobodyCanRead_GoesToThePoisonQueueWithAWarning()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held);

        var returned = await SendAsync(app, "{\"runId\": 7}");
        held.SetResult();

        Assert.Equal("{\"runId\": 7}", returned);
        Assert.Contains(app.Host.Warnings, line => line.Contains("run-progress-poison", StringComparison.Ordinal) && !line.Contains(
            "runId", StringComparison.Ordinal));
        var function = app.Host.Functions["KeepProgress"];
        Assert.Equal(
            ("run-progress", "RunStore", "run-progress-poison", "RunStore"),
            (
                (string?)function.Trigger.Value["queueName"],
                (string?)function.Trigger.Value["connection"],
                (string?)function.Bindings["$return"]["queueName"],
                (string?)function.Bindings["$return"]["connection"]));
    }

    /// <summary>Messages after the end are not kept, and those of a former measurement of a run are not shown in the next.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Message_OfARunThatHasEnded_LeavesNothing()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held);
        await SendAsync(app, ProgressMessage.Write(Message(inserted: 30)));
        Assert.NotEmpty(await app.Store.ListAsync("run", "progress/", Cancellation));

        held.SetResult();
        await app.EndOfAsync("run");
        var afterReport = await app.Store.ListAsync("run", "progress/", Cancellation);
        await SendAsync(app, ProgressMessage.Write(Message(inserted: 90)));

        Assert.Empty(afterReport);
        Assert.Empty(await app.Store.ListAsync("run", "progress/", Cancellation));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Message_OfAFormerMeasurement_IsNotShownInTheNext()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held);

        await SendAsync(app, ProgressMessage.Write(Message(inserted: 30) with { RunInstanceId = ChildIds.Again("run", 2), Leg = 9 }));
        var status = await app.StatusAsync("/api/runs/run");
        held.SetResult();

        Assert.Equal(0, (int)status["done"]!);
    }

    /// <summary>An instance whose clock is ahead has answered a poll, and another one answers the next.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Status_InstancesWithOtherClocks_NeverFallsBack()
    {
        var held = new TaskCompletionSource();
        await using var app = await StartAsync(held);
        var first = await app.StatusAsync("/api/runs/run");
        await new ProgressFiles(app.Store, "run").LongestShownAsync("run", 3_600, isOver: false, Cancellation);

        var second = await app.StatusAsync("/api/runs/run");
        held.SetResult();
        await app.EndOfAsync("run");

        Assert.InRange((double)first["elapsedSeconds"]!, 0, 3_599);
        Assert.Equal(("running", 3_600), ((string?)second["state"], (double?)second["elapsedSeconds"]));
        Assert.Empty(await app.Store.ListAsync("run", "progress/", Cancellation));
    }

    private static async Task<TestApp> StartAsync(TaskCompletionSource held)
    {
        var app = await TestApp.StartAsync(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        await app.PostAsync("/api/runs", Run);
        while (app.Legs.All.Count < 2)
            await Task.Delay(20, Cancellation);
        return app;
    }

    private static async Task<string?> SendAsync(TestApp app, string message)
    {
        var response = await app.Host.InvokeAsync(app.Host.Functions["KeepProgress"], new JsonObject { ["string"] = message });
        FunctionsHost.AssertSucceeded(response);
        return FunctionsHost.ReturnOf(response);
    }

    private static WorkerProgress Message(long inserted) => new()
    {
        RunId = "run",
        Worker = 0,
        Workers = 2,
        Leg = 1,
        Attempt = 1,
        Sequence = 1,
        Activity = WorkerState.Running,
        At = DateTimeOffset.UtcNow,
        Seconds = 1,
        Counts = new() { Inserted = inserted },
    };
}
