using ScaleOut.Tests.Support.Storage;
using ScaleOut.Workers.Legs;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Runs with real legs whose surroundings fail or hang: the account, the run store, the progress queue.</summary>
public sealed class UndisturbedRunTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs, Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_SomethingOfALegNeverEnds_IsLostAtItsDeadlineAndRunsAgain()
    {
        var attempts = 0;
        var outcome = await RunAsync(
            new RunSpec { Id = "hangs", Documents = 400, Workers = 1, Client = new ClientSpec { Rate = 200 } },
            report: progress =>
            {
                attempts = Math.Max(attempts, progress.Attempt);
                return attempts == 1 && progress.Activity == WorkerState.Running
                    ? new ValueTask(Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None))
                    : ValueTask.CompletedTask;
            },
            time: new HastyTime());

        Assert.Equal((RunState.Complete, 400, 1), (outcome.State, outcome.Verified, outcome.Totals!.LostLegs));
        Assert.Equal(2, attempts);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_SomeReadsAreThrottledWhileConnectionsOpen_Starts()
    {
        var outcome = await RunAsync(
            new RunSpec { Id = "beside", Documents = 200, Workers = 2, Client = new ClientSpec { Concurrency = 50 } },
            rules: new FaultRule { Operation = FaultOperation.Read, Probability = 0.2, Status = 429, SubStatus = 3200 });

        Assert.Equal((RunState.Complete, 200, 0), (outcome.State, outcome.Verified, outcome.Totals!.LostLegs));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs, Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_StopFlagCannotBeReadWhileALegDrains_KeepsTheLeg()
    {
        var (fails, failures) = (false, 0);
        var store = new MemoryRunStore
        {
            BeforeRead = name =>
            {
                if (!Volatile.Read(ref fails) || name != "stop")
                    return;
                failures++;
                throw new IOException("The run store is away.");
            },
        };
        var outcome = await RunAsync(
            new RunSpec
            {
                Id = "drains", Documents = 24, Workers = 1, LegDuration = TimeSpan.FromSeconds(1),
                Client = new ClientSpec { Concurrency = 8 },
            },
            report: progress =>
            {
                Volatile.Write(ref fails, progress.Activity == WorkerState.Draining);
                return ValueTask.CompletedTask;
            },
            store: store,
            latency: LatencyProfile.None with { Name = null, WriteMedianMs = 3_000, LogStandardDeviation = 0 });

        Assert.True(failures > 0);
        Assert.Equal((RunState.Complete, 24, 0), (outcome.State, outcome.Verified, outcome.Totals!.LostLegs));
    }

    private static async Task<RunOutcome> RunAsync(
        RunSpec spec, Func<WorkerProgress, ValueTask>? report = null, MemoryRunStore? store = null, LatencyProfile? latency = null,
        TimeProvider? time = null, params FaultRule[] rules)
    {
        await using var account = await SimulatedAccount.StartAsync(
            new AccountSettings { Latency = latency ?? LatencyProfile.None, Faults = [.. rules] }, Cancellation);
        store ??= new MemoryRunStore();
        await using var legs = new LegRunner(
            store, account.Connection(), new Sink(report ?? (_ => ValueTask.CompletedTask)), time);
        await using var host = await FunctionsHost.StartAsync(
            services =>
            {
                services.AddSingleton<IRunStore>(store);
                services.AddSingleton<IRunCatalog>(new MemoryRunCatalog());
                services.AddSingleton<ILegRunner>(legs);
            },
            new Dictionary<string, string?>
            {
                ["COSMOS_CONNECTION_STRING"] = $"AccountEndpoint={account.HttpsEndpoint};AccountKey={account.Key}",
                ["COSMOS_CERTIFICATE_SHA256"] = account.CertificateThumbprint,
                ["COSMOS_SIMULATED"] = "true",
                ["MAX_RUS"] = "60000",
            });
        var (started, text) = await host.SendAsync(HttpMethod.Post, "/api/runs", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));
        Assert.True((int)started.StatusCode == 202, text);
        var ended = await host.EndOfAsync(spec.Id!);
        return JsonSerializer.Deserialize<RunOutcome>(ended.SerializedOutput!, ScaleOutJson.Compact)!;
    }

    private sealed class Sink(Func<WorkerProgress, ValueTask> report) : IProgressSink
    {
        public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => report(progress);
    }

    /// <summary>A clock whose first wait beyond the time of a leg, the first leg's deadline, is over after ten seconds.</summary>
    private sealed class HastyTime : TimeProvider
    {
        private int _waits;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => base.CreateTimer(
            callback, state, dueTime > RunSpec.DefaultLegDurationInAzure && _waits++ == 0 ? TimeSpan.FromSeconds(10) : dueTime, period);
    }
}
