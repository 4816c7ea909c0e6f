using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Http;

/// <summary>
/// The routes of runs. They accept every method, because the Functions host responds with 404 to a method that a function does not declare.
/// The interface responds with 405 and the permitted methods instead.
/// <para>
/// A function key gives access to one function. No function both reads and modifies data, so a key for reading cannot start or stop a run.
/// Two functions therefore share the route of a collection, and the host selects one by the declared methods: one function declares GET and
/// HEAD, the other one all other methods.
/// </para>
/// </summary>
public sealed class RunFunctions(JobHandlers<RunSpec, RunStatus> handlers, IRunStore store, TimeProvider time)
{
    [Function("ListRuns")]
    public Task<IResult> ListAsync(
        [HttpTrigger(AuthorizationLevel.Function, "GET", "HEAD", Route = ApiRoutes.Runs)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.ReadAsync(context => handlers.ListAsync(context, Host(client)));

    [Function("StartRun")]
    public Task<IResult> StartAsync(
        [HttpTrigger(AuthorizationLevel.Function, "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", Route = ApiRoutes.Runs)]
        HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.StartAsync(context => handlers.StartAsync(context, Host(client)));

    [Function("Run")]
    public Task<IResult> RunAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.Run)] HttpRequest request, [DurableClient] DurableTaskClient client) =>
        request.ReadAsync(context => handlers.ReadAsync(context, Host(client), request.Id()));

    /// <summary>Returns a run's report in one of its forms (GET).</summary>
    [Function("RunReport")]
    public Task<IResult> ReportAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.RunReport)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.ReadAsync(context => handlers.ReportAsync(context, Host(client), request.Id()));

    [Function("StopRun")]
    public Task<IResult> StopAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.StopRun)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.PostAsync(context => handlers.StopAsync(context, Host(client), request.Id()));

    /// <summary>Resumes a run that was interrupted or could not start (POST).</summary>
    [Function("ResumeRun")]
    public Task<IResult> ResumeAsync(
        [HttpTrigger(AuthorizationLevel.Function, Route = ApiRoutes.ResumeRun)] HttpRequest request,
        [DurableClient] DurableTaskClient client) =>
        request.PostAsync(context => handlers.ResumeAsync(context, Host(client), request.Id()));

    private DurableRunHost Host(DurableTaskClient client) => new(client, store, time);
}
