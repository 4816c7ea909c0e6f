using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask.Client;

namespace ScaleOut.Orchestrator.Http;

/// <summary>The routes of the interface. They take every method, so that a wrong one is answered by the interface itself.</summary>
public sealed class RunFunctions(RunInterface runs)
{
    /// <summary>Starts a run (POST), or lists them (GET).</summary>
    [Function("Runs")]
    public Task<IActionResult> RunsAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "runs")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>How far a run is.</summary>
    [Function("Run")]
    public Task<IActionResult> RunAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "runs/{id}")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>A run's report in one of its forms.</summary>
    [Function("RunReport")]
    public Task<IActionResult> ReportAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "runs/{id}/report")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>Stops a run (POST).</summary>
    [Function("StopRun")]
    public Task<IActionResult> StopAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "runs/{id}/stop")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);
}
