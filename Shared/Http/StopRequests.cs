namespace ScaleOut.Http;

/// <summary>Requests to stop, and their answers: the same for runs and experiments.</summary>
internal static class StopRequests
{
    /// <summary>Stops what is under way or queued.</summary>
    /// <param name="call">The request.</param>
    /// <param name="what">A run or an experiment.</param>
    /// <param name="collection">Where it is found, such as <c>runs</c>.</param>
    /// <param name="id">Its id, as it came.</param>
    /// <param name="existsAsync">Whether there is such a thing.</param>
    /// <param name="stopAsync">Asks the host.</param>
    public static async Task<HttpAnswer> AnswerAsync(
        HttpCall call, string what, string collection, string id, Func<Task<bool>> existsAsync, Func<Task<StopAnswer>> stopAsync)
    {
        if (RequestBody.IsForeign(call.ContentType))
            return Problems.NotJson(call);
        if (!await existsAsync())
            return Problems.Unknown(call, what);
        if (await stopAsync() != StopAnswer.Stopping)
            return Problems.Ended(call, what, id);
        var (status, report, stop) = ResourceLinks.Of(call.BaseUri, collection, id);
        return Answers.Accepted(new StoppingRun(id, status, report, stop), status);
    }
}
