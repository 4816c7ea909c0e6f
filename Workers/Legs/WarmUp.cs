using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Legs;

/// <summary>Opens the client that a workload needs, and its connections.</summary>
internal static class WarmUp
{
    /// <summary>Connections that are opened before the start; the client opens more when it needs them.</summary>
    private const int MostReads = 50;

    /// <summary>Makes a client and opens its connections.</summary>
    /// <exception cref="CosmosException">The account cannot be used.</exception>
    /// <exception cref="AccountException">The account cannot be used, or there is none for the workload.</exception>
    public static async Task<IWarmClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken) =>
        assignment.Workload.Kind.UsesTables()
            ? await WarmTableClient.OpenAsync(account, assignment, cancellationToken)
            : await WarmClient.OpenAsync(account, assignment, cancellationToken);

    /// <summary>
    /// Reads that find nothing: they open the connections and compile the client's code without leaving a trace in the store.
    /// </summary>
    /// <param name="concurrency">Operations in flight of the worker.</param>
    /// <param name="read">Reads the document or row of a key that nothing has, and returns the RU of it.</param>
    /// <returns>The RU of all of them.</returns>
    public static async Task<double> ReadAsync(int concurrency, Func<string, Task<double>> read)
    {
        // The first alone, so that the others find the caches filled and a token there.
        var first = await read("warm-up-0");
        var others = Enumerable.Range(1, Math.Min(concurrency, MostReads) - 1).Select(number => read($"warm-up-{number}"));
        return first + (await Task.WhenAll(others)).Sum();
    }
}
