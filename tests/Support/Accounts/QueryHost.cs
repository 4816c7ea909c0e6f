using System.Buffers;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Queries.Execution;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Runs queries page by page, as the front ends do, on a container with one partition.</summary>
internal sealed class QueryHost : IDisposable
{
    private readonly AccountEngine _engine;

    public QueryHost(IEnumerable<string> documents, string indexingPolicy = "{}")
    {
        _engine = new AccountEngine(
            new SimulationSpec { PhysicalPartitions = 1, Latency = LatencyProfile.None }, 1, TimeProvider.System, NullLogger.Instance);
        var database = _engine.Catalog.CreateDatabase("d");
        var definition = Encoding.UTF8.GetBytes(
            $$"""{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"indexingPolicy":{{indexingPolicy}}}""");
        Container = _engine.Catalog.CreateContainer(
            database, ContainerSettings.Parse(definition), new Offer { Throughput = int.MaxValue, Autoscale = false });
        foreach (var document in documents)
            Insert(document);
    }

    public ContainerResource Container { get; }

    /// <summary>All results as JSON, over as many pages as it takes.</summary>
    /// <exception cref="RequestException">The query is rejected.</exception>
    public List<string> Run(string text, int pageSize = 1_000, IReadOnlyDictionary<string, Datum>? parameters = null)
    {
        var query = Parse(text, parameters);
        var results = new List<string>();
        var continuation = default(QueryContinuation);
        for (var page = 0; page < 10_000; page++)
        {
            var work = RunPage(query, pageSize, continuation);
            using var json = JsonDocument.Parse(work.Output.WrittenMemory, new JsonDocumentOptions { MaxDepth = 300 });
            JsonElement[] documents = [.. json.RootElement.GetProperty("Documents").EnumerateArray()];
            Assert.InRange(documents.Length, 0, pageSize);
            Assert.Equal(work.ItemCount, documents.Length);
            results.AddRange(documents.Select(one => one.GetRawText()));
            if (work.Next is not { } next)
                return results;
            Assert.True(QueryContinuation.TryParse(next.ToString(), out continuation));
            Assert.Equal(next, continuation);
        }

        throw new InvalidOperationException($"No end: {text}");
    }

    /// <exception cref="RequestException">The query is rejected.</exception>
    public ParsedQuery Parse(string text, IReadOnlyDictionary<string, Datum>? parameters = null) =>
        QueryParser.Parse(text, parameters ?? new Dictionary<string, Datum>(), index: Container.Settings.Indexing);

    /// <exception cref="RequestException">The page is rejected.</exception>
    public QueryWork RunPage(ParsedQuery query, int pageSize, QueryContinuation continuation = default, TimeSpan? maxPageTime = null)
    {
        var work = new QueryWork
        {
            MaxPageTime = maxPageTime ?? TimeSpan.FromMinutes(10), Container = Container, Output = new ArrayBufferWriter<byte>(),
            Query = query, PageSize = pageSize, Continuation = continuation,
        };
        query.CheckOrder();
        if (work.TryPrepare())
            work.Execute(_engine.Clock.NowTicks);
        return work.Result.IsSuccess ? work : throw RequestException.From(work.Result);
    }

    public void Dispose() => _engine.Dispose();

    private void Insert(string document)
    {
        var work = new SingleWork { Container = Container, Output = new ArrayBufferWriter<byte>() };
        work.Operation.Kind = OperationKind.Create;
        work.Operation.Body = Encoding.UTF8.GetBytes(document);
        using var json = JsonDocument.Parse(document);
        work.Operation.PartitionKeyJson = Encoding.UTF8.GetBytes($"[{json.RootElement.GetProperty("pk").GetRawText()}]");
        Assert.True(work.TryPrepare(), work.Result.Message);
        work.Execute(_engine.Clock.NowTicks);
        Assert.Equal(201, work.Result.Status);
    }
}
