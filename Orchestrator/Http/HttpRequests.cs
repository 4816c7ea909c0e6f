using ScaleOut.Api.Responses;

namespace ScaleOut.Orchestrator.Http;

/// <summary>What a route takes from its request, and the methods that it has.</summary>
internal static class HttpRequests
{
    /// <summary>Whether it reads.</summary>
    public static bool IsRead(this HttpRequest request) => HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method);

    /// <summary>The id in the request's path.</summary>
    public static string Id(this HttpRequest request) => request.RouteValues["id"] as string ?? "";

    /// <summary>Handles what a collection has: POST starts something, GET and HEAD list what there is.</summary>
    public static Task<IResult> CollectionAsync(
        this HttpRequest request, Func<HttpContext, Task<IResult>> start, Func<HttpContext, Task<IResult>> list) =>
        HandleAsync(request, request.IsRead() || HttpMethods.IsPost(request.Method), request.IsRead() ? list : start, "GET, HEAD, POST");

    /// <summary>Handles GET and HEAD.</summary>
    public static Task<IResult> ReadAsync(this HttpRequest request, Func<HttpContext, Task<IResult>> handle) =>
        HandleAsync(request, request.IsRead(), handle, "GET, HEAD");

    /// <summary>Handles POST.</summary>
    public static Task<IResult> PostAsync(this HttpRequest request, Func<HttpContext, Task<IResult>> handle) =>
        HandleAsync(request, HttpMethods.IsPost(request.Method), handle, "POST");

    private static Task<IResult> HandleAsync(HttpRequest request, bool allowed, Func<HttpContext, Task<IResult>> handle, string methods) =>
        allowed ? handle(request.HttpContext) : Task.FromResult(Problems.MethodNotAllowed(request.HttpContext, methods));
}
