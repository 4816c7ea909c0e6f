using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask.Client;

namespace ScaleOut.Orchestrator.Http;

/// <summary>The routes of experiments. They take every method, so that a wrong one is answered by the interface itself.</summary>
public sealed class ExperimentFunctions(RunInterface runs)
{
    /// <summary>Starts an experiment (POST).</summary>
    [Function("Experiments")]
    public Task<IActionResult> ExperimentsAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "experiments")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>How far an experiment is.</summary>
    [Function("Experiment")]
    public Task<IActionResult> ExperimentAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "experiments/{id}")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>An experiment's report in one of its forms.</summary>
    [Function("ExperimentReport")]
    public Task<IActionResult> ReportAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "experiments/{id}/report")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>Stops an experiment (POST).</summary>
    [Function("StopExperiment")]
    public Task<IActionResult> StopAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "experiments/{id}/stop")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);

    /// <summary>Takes up an experiment that has ended and of which something is left to measure (POST).</summary>
    [Function("ResumeExperiment")]
    public Task<IActionResult> ResumeAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = "experiments/{id}/resume")] HttpRequest request, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken) =>
        runs.AnswerAsync(request, client, cancellationToken);
}
