using System.Globalization;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// Counts the requests of one operation's queries as they pass the SDK's handlers. Thread-safe: the SDK asks several partitions at once.
/// </summary>
/// <param name="partitions">The container's physical partitions.</param>
internal sealed class QueryTally(PartitionRanges partitions)
{
    private static readonly AsyncLocal<QueryTally?> Holder = new();

    private readonly Lock _gate = new();
    private double[] _requestUnits = new double[partitions.Count];
    private long[] _throttledOf = new long[partitions.Count];
    private long _requests;
    private long _pages;
    private long _throttled;
    private long _items;

    /// <summary>The tally of the operation that the current code works for; null when it is none of a query.</summary>
    public static QueryTally? Current
    {
        get => Holder.Value;
        set => Holder.Value = value;
    }

    /// <summary>Where charges are counted that name no partition.</summary>
    public int DefaultPartition { get; set; }

    /// <summary>Counts one request with its response.</summary>
    public void Count(RequestMessage request, ResponseMessage response)
    {
        var isPlan = request.Headers["x-ms-cosmos-is-query-plan-request"] is not null;
        var partition = partitions.IndexOfRange(RangeOf(response.Headers) ?? request.Headers["x-ms-documentdb-partitionkeyrangeid"])
            ?? DefaultPartition;
        var charge = response.Headers.RequestCharge;
        lock (_gate)
        {
            _requests++;
            _requestUnits[partition] += charge;
            if (isPlan)
                return;
            _pages++;
            if ((int)response.StatusCode == 429)
            {
                _throttled++;
                _throttledOf[partition]++;
            }

            if (long.TryParse(response.Headers["x-ms-item-count"], NumberStyles.None, CultureInfo.InvariantCulture, out var items))
                _items += items;
        }
    }

    /// <summary>What was counted since the last call.</summary>
    public QueryCalls Take()
    {
        lock (_gate)
        {
            var calls = new QueryCalls(_requests, _pages, _throttled, _items, _requestUnits, _throttledOf);
            (_requests, _pages, _throttled, _items) = (0, 0, 0, 0);
            (_requestUnits, _throttledOf) = (new double[partitions.Count], new long[partitions.Count]);
            return calls;
        }
    }

    /// <summary>The range in a session token, such as 3 in <c>3:-1#17</c>.</summary>
    private static string? RangeOf(Headers headers)
    {
        var token = headers.Session;
        var end = token?.IndexOf(':', StringComparison.Ordinal) ?? -1;
        return end > 0 ? token![..end] : headers["x-ms-documentdb-partitionkeyrangeid"];
    }
}

/// <summary>Shows the requests that the SDK sends for a query to the operation's tally; other requests pass.</summary>
internal sealed class QueryCallHandler : RequestHandler
{
    /// <inheritdoc/>
    public override async Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        QueryTally.Current?.Count(request, response);
        return response;
    }
}

/// <summary>The requests that the SDK sent for a query over some time.</summary>
/// <param name="Requests">All of them: query plans, and a page of a physical partition each.</param>
/// <param name="Pages">Without the query plans.</param>
/// <param name="Throttled">Pages that got a 429.</param>
/// <param name="Items">Documents on the pages.</param>
/// <param name="RequestUnits">RU charged, by physical partition.</param>
/// <param name="ThrottledOf">Pages that got a 429, by physical partition.</param>
public sealed record QueryCalls(
    long Requests, long Pages, long Throttled, long Items, IReadOnlyList<double> RequestUnits, IReadOnlyList<long> ThrottledOf);
