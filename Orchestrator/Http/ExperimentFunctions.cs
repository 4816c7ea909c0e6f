using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Http;

/// <summary>The routes of experiments. See <see cref="RunFunctions"/> for the methods that each function accepts.</summary>
public sealed class ExperimentFunctions(
    JobHandlers<ExperimentSpec, HostedExperiment> handlers, ComparisonHandlers comparisons, IRunStore store, AccountConnection account,
    TimeProvider time)
{
    [Function("ListExperiments")]
    public Task<IResult> ListAsync(
        [HttpTrigger(AuthorizationLevel.Function, "GET", "HEAD", Route = ApiRoutes.Experiments)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.ReadAsync(context => handlers.ListAsync(context, Host(client)));

    [Function("StartExperiment")]
    public Task<IResult> StartAsync(
        [HttpTrigger(AuthorizationLevel.Function, "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", Route = ApiRoutes.Experiments)]
        HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.StartAsync(context => handlers.StartAsync(context, Host(client)));

    /// <summary>Compares two runs or two experiments (GET).</summary>
    [Function("Compare")]
    public Task<IResult> CompareAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.Compare)] HttpRequest request) =>
        request.ReadAsync(comparisons.CompareAsync);

    [Function("Experiment")]
    public Task<IResult> ExperimentAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.Experiment)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.ReadAsync(context => handlers.ReadAsync(context, Host(client), request.Id()));

    /// <summary>Returns an experiment's report in one of its forms (GET).</summary>
    [Function("ExperimentReport")]
    public Task<IResult> ReportAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.ExperimentReport)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.ReadAsync(context => handlers.ReportAsync(context, Host(client), request.Id()));

    [Function("StopExperiment")]
    public Task<IResult> StopAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.StopExperiment)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.PostAsync(context => handlers.StopAsync(context, Host(client), request.Id()));

    /// <summary>Resumes an experiment that has ended and has runs left to measure (POST).</summary>
    [Function("ResumeExperiment")]
    public Task<IResult> ResumeAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.ResumeExperiment)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.PostAsync(context => handlers.ResumeAsync(context, Host(client), request.Id()));

    private DurableExperimentHost Host(DurableTaskClient client) => new(client, store, account, time);
}
