using Microsoft.AspNetCore.Http;
using ScaleOut.Api.Hosts;
using ScaleOut.Api.Responses;
using ScaleOut.Api.Specs;

namespace ScaleOut.Api;

/// <summary>Stops a run or an experiment that is queued or running.</summary>
internal static class StopHandler
{
    /// <param name="context">The request.</param>
    /// <param name="what">For people, such as <c>run</c>.</param>
    /// <param name="collection">One of <see cref="ResourceLinks"/>.</param>
    /// <param name="id">As the client wrote it.</param>
    /// <param name="existsAsync">Whether there is one of that id.</param>
    /// <param name="stopAsync">Asks its host to stop it.</param>
    public static async Task<IResult> RespondAsync(
        HttpContext context, string what, string collection, string id, Func<Task<bool>> existsAsync, Func<Task<StopResult>> stopAsync)
    {
        if (RequestBody.IsForeign(context))
            return Problems.NotJson(context);
        if (!await existsAsync())
            return Problems.Unknown(context, what);
        if (await stopAsync() != StopResult.Stopping)
            return Problems.Ended(context, what, id);
        var (status, report, stop) = ResourceLinks.Create(context, collection, id);
        return Accepted.Create(context, new Stopping(id, status, report, stop), status);
    }
}
