using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// The way to the account and back, by 429s in both modes: creates and reads of a key that large batches keep beyond its partition's
/// budget, the same calls as under the levels of load, and between them calls to the reference account.
/// </summary>
/// <param name="direct">Clients in Direct, the first of which also sends the batches.</param>
/// <param name="gateway">Clients in Gateway.</param>
/// <param name="data">Takes the latencies, and what the 429s have the client wait.</param>
/// <param name="cancellationToken">Ends it early.</param>
internal sealed class WayPhase(
    CalibrationClients direct, CalibrationClients gateway, CalibrationData data, CancellationToken cancellationToken)
{
    /// <summary>
    /// Of so many operations that two or three of them use up what a second has, and the last one some of the next: the longest
    /// <c>retry-after</c> is given by a partition that is behind.
    /// </summary>
    private const int BatchSize = 100;

    private const int BatchedBytes = 100;

    /// <summary>Of each kind of call, and of batches.</summary>
    private const int PerSecond = 20;

    private const string Key = "way";

    private static readonly double BatchCost = BatchSize * ChargeModel.Documented.Create(BatchedBytes, 0);

    private readonly (ConnectionMode Mode, LatencyKind Kind, bool ToReference, CallTimes Calls)[] _calls =
    [
        .. from mode in (ConnectionMode[])[ConnectionMode.Direct, ConnectionMode.Gateway]
           from kind in (LatencyKind[])[LatencyKind.Write, LatencyKind.Read]
           let calls = new CallTimes()
           from toReference in (bool[])[false, true]
           select (mode, kind, toReference, calls),
    ];

    /// <summary>Runs for a time.</summary>
    /// <returns>False where the cost limit ended it.</returns>
    public async Task<bool> RunAsync(TimeSpan duration)
    {
        foreach (var client in (CalibrationClient[])[direct.Account, direct.Reference])
        {
            if (!await client.PreloadAsync(Key, cancellationToken))
                return false;
        }

        var complete = await OpenLoad.RunAsync(
            PerSecond * (_calls.Length + 1), duration, _calls.Length + 1,
            (n, kind) => kind < _calls.Length ? CallAsync(n, kind) : BatchAsync(n), cancellationToken);
        foreach (var (mode, kind, _, calls) in _calls.Where(one => !one.ToReference))
            data.Latencies.Add(calls.ToSample(kind, mode) with { Throttled = true });
        return complete;
    }

    private async Task<bool> BatchAsync(int n)
    {
        var ids = Enumerable.Range(0, BatchSize).Select(i => $"{Key}-{n}-{i}").ToList();
        if (await direct.Account.BatchAsync(ids, Key, BatchedBytes, 2 * BatchCost) is not { } call)
            return false;
        Take(call);
        return true;
    }

    private async Task<bool> CallAsync(int n, int place)
    {
        var (mode, kind, toReference, calls) = _calls[place];
        var both = mode == ConnectionMode.Direct ? direct : gateway;
        var client = toReference ? both.Reference : both.Account;
        var made = kind == LatencyKind.Write
            ? await client.CreateSmallAsync($"{Key}-of-{n}", Key)
            : await client.ReadSmallAsync(Key);
        if (made is not { } call)
            return false;
        // A call that is admitted has a service time.
        if (toReference ? call.Succeeded : call.Throttled)
            calls.Add(call, toReference);
        if (!toReference)
            Take(call);
        return true;
    }

    private void Take(in CalibrationCall call)
    {
        if (call.Throttled)
            data.AddRetryAfter(call.Response.RetryAfter);
        else if (!call.Succeeded)
            data.NoteError("the way to the account", call.Response);
    }
}
