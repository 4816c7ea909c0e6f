using System.Net;
using System.Net.Sockets;
using Grpc.Core.Interceptors;
using Microsoft.DurableTask;
using Microsoft.DurableTask.Client;
using Microsoft.DurableTask.Testing;
using Microsoft.DurableTask.Worker;
using Microsoft.DurableTask.Worker.Grpc;
using Microsoft.Extensions.DependencyInjection;
using ScaleOut.Json;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Orchestrations;
using ScaleOut.Specs;

namespace ScaleOut.Orchestrator.Tests.Engine;

/// <summary>The real Durable Task engine in this process, with the app's own orchestrations and activities that a test gives.</summary>
internal sealed class TestEngine : IAsyncDisposable
{
    /// <summary>A run that hangs must fail its test; those that do not hang take seconds.</summary>
    public const int LongestTestMs = 120_000;

    private readonly DurableTaskTestHost _host;

    private TestEngine(DurableTaskTestHost host, EngineTraffic traffic) => (_host, Traffic) = (host, traffic);

    public EngineTraffic Traffic { get; }

    public DurableTaskClient Client => _host.Client;

    public static async Task<TestEngine> StartAsync(FakeActivities activities, Action<DurableTaskRegistry>? more = null)
    {
        var traffic = new EngineTraffic();
        var options = new DurableTaskTestHostOptions
        {
            Port = FreePort(),
            ConfigureServices = services =>
            {
                services.PostConfigure<DurableTaskWorkerOptions>(worker => worker.DataConverter = new MeasuringConverter(traffic));
                services.PostConfigure<DurableTaskClientOptions>(client => client.DataConverter = new MeasuringConverter(traffic));
                services.PostConfigure<GrpcDurableTaskWorkerOptions>(worker =>
                {
                    worker.CallInvoker = worker.Channel!.Intercept(new WorkItemMeter(traffic));
                    worker.Channel = null;
                });
            },
        };
        var host = await DurableTaskTestHost.StartAsync(Register, options, TestContext.Current.CancellationToken);
        return new TestEngine(host, traffic);

        void Register(DurableTaskRegistry tasks)
        {
            TestEngine.Register(tasks, activities);
            more?.Invoke(tasks);
        }
    }

    /// <summary>Starts a run as the app does; its instance id is the run's.</summary>
    public Task StartRunAsync(RunSpec spec) => Client.ScheduleNewOrchestrationInstanceAsync(
        FunctionNames.RunOrchestrator, spec, new StartOrchestrationOptions(spec.Id), TestContext.Current.CancellationToken);

    /// <summary>Runs to the end.</summary>
    public async Task<RunOutcome> RunAsync(RunSpec spec)
    {
        await StartRunAsync(spec);
        return await EndOfAsync(spec.Id!);
    }

    /// <summary>Waits for a run's end.</summary>
    public async Task<RunOutcome> EndOfAsync(string runId)
    {
        var instance = await Client.WaitForInstanceCompletionAsync(runId, getInputsAndOutputs: true, TestContext.Current.CancellationToken);
        Assert.True(instance.RuntimeStatus == OrchestrationRuntimeStatus.Completed, $"{instance.RuntimeStatus}: {instance.FailureDetails}");
        return instance.ReadOutputAs<RunOutcome>()!;
    }

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    /// <summary>The host would guess a port, which some other program may have.</summary>
    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static void Register(DurableTaskRegistry tasks, FakeActivities activities)
    {
        tasks.AddOrchestratorFunc<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, (context, _) => RunOrchestrator.RunAsync(context));
        tasks.AddOrchestratorFunc<WorkerGroup, IReadOnlyList<WorkerOutcome>>(FunctionNames.GroupOrchestrator, (context, _) => GroupOrchestrator.RunAsync(context));
        tasks.AddOrchestratorFunc<WorkerState, WorkerOutcome?>(FunctionNames.WorkerOrchestrator, (context, _) => WorkerOrchestrator.RunAsync(context));
        tasks.AddActivityFunc<RunSpec, Preparation>(FunctionNames.PrepareContainer, (_, spec) => activities.PrepareContainer(spec));
        tasks.AddActivityFunc<LegInput, LegOutput>(FunctionNames.RunLeg, (_, leg) => activities.RunLegAsync(leg));
        tasks.AddActivityFunc<PreparedContainer, Verification>(FunctionNames.VerifyContainer, (_, container) => activities.VerifyContainer(container));
        tasks.AddActivityFunc<RunEnding, RunOutcome>(FunctionNames.SaveReport, (_, ending) => activities.SaveReportAsync(ending));
        tasks.AddActivityFunc<PreparedContainer>(FunctionNames.CleanUp, (_, container) => activities.CleanUp(container));
    }
}
