using System.Collections.Concurrent;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>One key with more load than its physical partition admits: small batches, which need few requests for many RU.</summary>
internal sealed class ThrottlingPhase(CalibrationClient client, CalibrationData data, int partitions, CancellationToken cancellationToken)
{
    private const int BatchSize = 5;

    /// <summary>As small as they can be, so that the client does not take long to write them.</summary>
    private const int Bytes = 100;

    /// <summary>Times of the most that a partition can admit, burst credit included.</summary>
    private const double Overload = 1.5;

    private static readonly double BatchCost = BatchSize * ChargeModel.Documented.Create(ChargePhase.SmallBytes, 0);

    /// <summary>Load, no load, and load again.</summary>
    /// <returns>False where the cost limit ended it.</returns>
    public async Task<bool> RunAsync(TimeSpan load, TimeSpan idle)
    {
        if (await LoadAsync("hot", load) is not { } hot)
            return false;
        data.Admitted.AddRange(AdmittedIn(hot));
        foreach (var call in hot.Where(call => call.Throttled))
            data.AddRetryAfter(call.Response.RetryAfter);
        await Task.Delay(idle, cancellationToken);
        if (await LoadAsync("burst", load) is not { } burst)
            return false;
        data.AdmittedAfterIdling.AddRange(AdmittedIn(burst));
        return true;
    }

    private static IEnumerable<AdmittedOperation> AdmittedIn(IEnumerable<CalibrationCall> calls) =>
        calls.Where(call => call.Succeeded).Select(call => new AdmittedOperation(call.At, call.Response.RequestUnits));

    /// <summary>All calls of a time; null where the cost limit ended it.</summary>
    private async Task<IReadOnlyCollection<CalibrationCall>?> LoadAsync(string name, TimeSpan duration)
    {
        var calls = new ConcurrentBag<CalibrationCall>();
        var budget = CalibrationPlan.Throughput / (double)partitions;
        var most = Math.Max(budget, SimulationSpec.BurstRequestUnitsPerSecond);
        var complete = await OpenLoad.RunAsync(Overload * most / BatchCost, duration, kinds: 1, async (n, _) =>
        {
            var ids = Enumerable.Range(0, BatchSize).Select(i => $"{name}-{n}-{i}").ToList();
            if (await client.BatchAsync(ids, "hot", Bytes, 2 * BatchCost) is not { } call)
                return false;
            calls.Add(call);
            if (call is { Succeeded: false, Throttled: false })
                data.NoteError("load beyond the budget", call.Response);
            return true;
        }, cancellationToken);
        return complete ? calls : null;
    }
}
