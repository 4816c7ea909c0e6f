using System.Net;
using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Bench.WorkerCpu;

/// <summary>
/// The smallest program that writes documents through the SDK: tasks that take the next number, make the document and create it. It
/// measures nothing.
/// </summary>
public static class BareLoop
{
    /// <summary>Creates the documents 0 to <paramref name="count"/> - 1 of a run.</summary>
    /// <exception cref="InvalidOperationException">A document was not created.</exception>
    public static Task RunAsync(Container container, string runId, long count, int concurrency)
    {
        var documents = new PerfTestDocuments(runId, keyIsId: false);
        var options = new ItemRequestOptions { EnableContentResponseOnWrite = false };
        long taken = 0;

        async Task WorkAsync()
        {
            var buffer = new byte[documents.MaxBytes];
            while (Interlocked.Increment(ref taken) - 1 is var number && number < count)
            {
                var key = documents.KeyOf(number);
                var length = documents.Write(number, key, buffer);
                using var stream = new MemoryStream(buffer, 0, length, writable: false, publiclyVisible: true);
                using var response = await container.CreateItemStreamAsync(stream, new PartitionKey(key), options);
                if (response.StatusCode != HttpStatusCode.Created)
                    throw new InvalidOperationException($"Document {number} got {(int)response.StatusCode}: {response.ErrorMessage}");
            }
        }

        return Task.WhenAll(Enumerable.Range(0, concurrency).Select(_ => Task.Run(WorkAsync)));
    }
}
