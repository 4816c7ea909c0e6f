using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>A request that has its response.</summary>
/// <param name="AtTicks">Time of the account's clock.</param>
/// <param name="Mode">The front end.</param>
/// <param name="Resource">What it was about.</param>
/// <param name="Operation">What was done with it.</param>
/// <param name="Container">The container's path by names; null when there was none.</param>
/// <param name="Partition">Id of the partition that responded; null when none did.</param>
/// <param name="Status">Its status.</param>
/// <param name="SubStatus">0 for none.</param>
/// <param name="Charge">RU that it was charged.</param>
internal readonly record struct PastRequest(
    long AtTicks, ConnectionMode Mode, ResourceType Resource, OperationType Operation, string? Container, string? Partition, int Status,
    int SubStatus, RequestUnits Charge);

/// <summary>The last requests of an account, in a ring.</summary>
internal sealed class LastRequests
{
    private const int Kept = 64;

    private readonly Lock _gate = new();
    private readonly PastRequest[] _ring = new PastRequest[Kept];
    private long _count;

    public void Add(Exchange exchange, long nowTicks)
    {
        AccountResponse response = exchange.Response;
        var request = new PastRequest(
            nowTicks, exchange.Request.Mode, exchange.Request.Resource, exchange.Request.Operation, response.Container?.Link,
            response.Partition?.Id, response.Status, response.SubStatus, response.Charge ?? RequestUnits.Zero);
        lock (_gate)
            _ring[_count++ % Kept] = request;
    }

    /// <summary>The newest first.</summary>
    public IReadOnlyList<PastRequest> Read()
    {
        lock (_gate)
        {
            var requests = new List<PastRequest>(Kept);
            for (long i = _count - 1; i >= 0 && i >= _count - Kept; i--)
                requests.Add(_ring[i % Kept]);
            return requests;
        }
    }
}
