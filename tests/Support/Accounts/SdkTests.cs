using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Tests that use the SDK.</summary>
public abstract class SdkTests
{
    protected static CancellationToken Token => TestContext.Current.CancellationToken;

    protected static MemoryStream Json(string text) => new(Encoding.UTF8.GetBytes(text));

    /// <summary>The error of an operation, which must have this status and, if given, sub-status.</summary>
    protected static async Task<CosmosException> FailsAsync(HttpStatusCode status, Func<Task> operation, int? subStatus = null)
    {
        var e = await Assert.ThrowsAsync<CosmosException>(operation);
        Assert.Equal((status, subStatus ?? e.SubStatusCode), (e.StatusCode, e.SubStatusCode));
        return e;
    }
}
