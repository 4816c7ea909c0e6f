using Google.Protobuf;
using Grpc.Net.Client;
using Microsoft.DurableTask.Protobuf;

namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>
/// Takes the work items of the engine to the app's functions, as the durable extension of the Functions host does, and notes what goes
/// through.
/// </summary>
internal sealed class WorkItems(FunctionsHost host, GrpcChannel grpc)
{
    private const int AtOnce = 200;

    private readonly TaskHubSidecarService.TaskHubSidecarServiceClient _engine = new(grpc);
    private readonly ConcurrentDictionary<string, int> _largest = new();
    private readonly ConcurrentDictionary<string, InstanceTraffic> _instances = new();
    private readonly ConcurrentQueue<(string Name, string Input)> _activities = new();
    private readonly TaskCompletionSource _failure = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Bytes of the largest input and output of each activity, such as <c>RunLeg output</c>, and of statuses.</summary>
    public IReadOnlyDictionary<string, int> LargestPayloads => _largest;

    /// <summary>By instance id.</summary>
    public IReadOnlyDictionary<string, InstanceTraffic> Instances => _instances;

    /// <summary>Activities in the order in which they were called, with their inputs as JSON.</summary>
    public IReadOnlyCollection<(string Name, string Input)> Activities => _activities;

    /// <summary>Fails with the first item that could not be taken to the app or back, so that its result never comes.</summary>
    public Task Failure => _failure.Task;

    /// <summary>Whether any history was too long to come with its work item.</summary>
    public bool LongHistory { get; private set; }

    /// <summary>Changes the input of an activity on its way to the app, by the activity's name. By default nothing is changed.</summary>
    public Func<string, string, string> ChangeInput { get; set; } = (_, input) => input;

    /// <summary>
    /// What ends the call of an activity, by its name, before the app is called, as when the app's process is killed. By default nothing.
    /// </summary>
    public Func<string, TaskFailureDetails?> FailureOf { get; set; } = _ => null;

    /// <summary>Takes work items until cancelled.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using var stream = _engine.GetWorkItems(
            new GetWorkItemsRequest { MaxConcurrentActivityWorkItems = AtOnce, MaxConcurrentOrchestrationWorkItems = AtOnce },
            cancellationToken: cancellationToken);
        while (await stream.ResponseStream.MoveNext(cancellationToken))
        {
            var item = stream.ResponseStream.Current;
            _ = Task.Run(() => RunAsync(item, cancellationToken), cancellationToken);
        }
    }

    private async Task RunAsync(WorkItem item, CancellationToken ended)
    {
        try
        {
            await (item.OrchestratorRequest is { } orchestrator
                ? RunAsync(orchestrator, item.CompletionToken)
                : RunAsync(item.ActivityRequest, item.CompletionToken));
        }
        catch (Exception e) when (!ended.IsCancellationRequested)
        {
            _failure.TrySetException(new InvalidOperationException($"This work item has no result: {item}", e));
        }
    }

    private async Task RunAsync(OrchestratorRequest request, string token)
    {
        LongHistory |= request.RequiresHistoryStreaming;
        _instances.AddOrUpdate(
            request.InstanceId,
            _ => new InstanceTraffic(1, request.PastEvents.Count + request.NewEvents.Count, request.CalculateSize()),
            (_, known) => known.With(request.PastEvents.Count + request.NewEvents.Count, request.CalculateSize()));
        var name = request.PastEvents.Concat(request.NewEvents).First(e => e.ExecutionStarted is not null).ExecutionStarted.Name;
        var response = await host.InvokeAsync(
            host.Functions[name], new JsonObject { ["string"] = Convert.ToBase64String(request.ToByteArray()) });
        var result = FunctionsHost.Succeeded(response)
            ? OrchestratorResponse.Parser.ParseFrom(Convert.FromBase64String(FunctionsHost.ReturnOf(response)!))
            : FailureOfOrchestrator(request.InstanceId, response);
        result.CompletionToken = token;
        if (result.CustomStatus is { } status)
            Note("status", status);
        await _engine.CompleteOrchestratorTaskAsync(result);
    }

    /// <summary>Ends an orchestration whose function failed outside of its own code.</summary>
    private static OrchestratorResponse FailureOfOrchestrator(string instanceId, JsonObject response)
    {
        var failure = new TaskFailureDetails { ErrorType = "Invocation", ErrorMessage = response.ToJsonString() };
        var end = new CompleteOrchestrationAction
        {
            OrchestrationStatus = Microsoft.DurableTask.Protobuf.OrchestrationStatus.Failed,
            FailureDetails = failure,
        };
        return new() { InstanceId = instanceId, Actions = { new OrchestratorAction { Id = -1, CompleteOrchestration = end } } };
    }

    private async Task RunAsync(ActivityRequest request, string token)
    {
        var input = InputOf(request.Input);
        _activities.Enqueue((request.Name, input));
        Note($"{request.Name} input", input);
        var result = new ActivityResponse
        {
            InstanceId = request.OrchestrationInstance.InstanceId,
            TaskId = request.TaskId,
            CompletionToken = token,
            FailureDetails = FailureOf(request.Name),
        };
        if (result.FailureDetails is null)
            await CallAsync(request, input, result);
        await _engine.CompleteActivityTaskAsync(result);
    }

    private async Task CallAsync(ActivityRequest request, string input, ActivityResponse result)
    {
        var response = await host.InvokeAsync(
            host.Functions[request.Name],
            new JsonObject { ["string"] = ChangeInput(request.Name, input) },
            metadata: new JsonObject { ["instanceId"] = new JsonObject { ["string"] = request.OrchestrationInstance.InstanceId } });
        if (FunctionsHost.Succeeded(response))
        {
            result.Result = FunctionsHost.ReturnOf(response);
            Note($"{request.Name} output", result.Result ?? "");
        }
        else
        {
            // The worker's extension sends the whole failure as the message of the exception, and the host's extension reads it from there.
            result.FailureDetails = JsonParser.Default.Parse<TaskFailureDetails>((string)response["result"]!["exception"]!["message"]!);
        }
    }

    /// <summary>The engine wraps an activity's input in an array; the host's extension hands its only element to the function.</summary>
    private static string InputOf(string? input)
    {
        if (input is null || !input.StartsWith('['))
            return input ?? "";
        using var array = JsonDocument.Parse(input);
        return array.RootElement.GetArrayLength() == 1 ? array.RootElement[0].GetRawText() : input;
    }

    private void Note(string what, string payload)
    {
        var bytes = System.Text.Encoding.UTF8.GetByteCount(payload);
        _largest.AddOrUpdate(what, bytes, (_, known) => Math.Max(known, bytes));
    }
}

/// <summary>What the engine sent for one orchestration.</summary>
/// <param name="WorkItems">How often it was run; each time but the first of a generation it replays the history from its start.</param>
/// <param name="Events">Events of the longest history.</param>
/// <param name="HistoryBytes">Bytes of the largest history.</param>
internal sealed record InstanceTraffic(int WorkItems, int Events, int HistoryBytes)
{
    public InstanceTraffic With(int events, int bytes) => new(WorkItems + 1, Math.Max(Events, events), Math.Max(HistoryBytes, bytes));
}
