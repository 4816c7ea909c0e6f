using System.Diagnostics;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Latencies of larger documents and of batches in Direct, one after the other and with pauses that leave the partition half of its budget.
/// Each call is done to the reference account as well, after a pause of its own: what moving many KB takes the client itself depends on
/// what its machine does at that moment, and would otherwise be taken for the account's.
/// </summary>
/// <param name="clients">In Direct.</param>
/// <param name="data">Takes the latencies.</param>
/// <param name="partitions">Physical partitions of the container.</param>
/// <param name="cancellationToken">Ends it early.</param>
internal sealed class SlopePhase(
    CalibrationClients clients, CalibrationData data, int partitions, CancellationToken cancellationToken)
{
    /// <summary>Share of the whole budget that the phase uses at most.</summary>
    public const double Utilization = 0.5;

    /// <summary>Times as long as for one size of documents: batches cost the most RU, and so have the fewest samples in a time.</summary>
    private const int BatchWeight = 3;

    private const double BytesPerKilobyte = 1_024;

    /// <summary>Runs for a time, shared by all sizes and batches.</summary>
    /// <returns>False where the cost limit ended it.</returns>
    public async Task<bool> RunAsync(TimeSpan duration)
    {
        var part = duration / ((2 * CalibrationPlan.LatencyKilobytes.Count) + (BatchWeight * CalibrationPlan.BatchSizes.Count));
        foreach (var kilobytes in CalibrationPlan.LatencyKilobytes)
        {
            var (bytes, charges) = (kilobytes * 1_024, ChargeModel.Documented);
            string Id(int n) => $"slope-{kilobytes}-{n}";
            var written = 0;
            if (!await RepeatAsync(LatencyKind.Write, 1, kilobytes, charges.Create(bytes, 0), part, (to, n) =>
                    to.CreateAsync(Id(n), Id(n), bytes, 0, 2 * charges.Create(bytes, 0)), n => written = n)
                || !await RepeatAsync(LatencyKind.Read, 1, kilobytes, charges.Read(bytes), part, (to, _) =>
                    to.ReadAsync(Id(written), Id(written), 2 * charges.Read(bytes))))
                return false;
        }

        foreach (var operations in CalibrationPlan.BatchSizes)
        {
            var cost = operations * ChargeModel.Documented.Create(ChargePhase.SmallBytes, 0);
            var kilobytes = operations * ChargePhase.SmallBytes / BytesPerKilobyte;
            if (!await RepeatAsync(LatencyKind.Write, operations, kilobytes, cost, BatchWeight * part, (to, n) => to.BatchAsync(
                    [.. Enumerable.Range(0, operations).Select(i => $"slope-{n}-{i}")], $"slope-{operations}-{n}", ChargePhase.SmallBytes,
                    2 * cost)))
                return false;
        }

        return true;
    }

    /// <param name="kind">What is measured.</param>
    /// <param name="operations">Of each call.</param>
    /// <param name="kilobytes">Of all operations of a call.</param>
    /// <param name="cost">RU as documented; what the first call is charged takes its place.</param>
    /// <param name="duration">How long.</param>
    /// <param name="callAsync">Does the n-th call.</param>
    /// <param name="succeeded">Receives the number of each call that succeeded.</param>
    private async Task<bool> RepeatAsync(
        LatencyKind kind, int operations, double kilobytes, double cost, TimeSpan duration,
        Func<CalibrationClient, int, Task<CalibrationCall?>> callAsync, Action<int>? succeeded = null)
    {
        var calls = new CallTimes();
        var charged = 0.0;
        var started = Stopwatch.GetTimestamp();
        for (var n = 0; n == 0 || Stopwatch.GetElapsedTime(started) < duration; n++)
        {
            if (await callAsync(clients.Account, n) is not { } call)
                return false;
            if (call.Succeeded)
            {
                calls.Add(call, toReference: false);
                succeeded?.Invoke(n);
                charged += call.Response.RequestUnits;
                cost = call.Response.RequestUnits;
            }
            else if (!call.Throttled)
            {
                data.NoteError($"latency of {operations} operations and {kilobytes:0} KB", call.Response);
            }

            var pause = TimeSpan.FromSeconds(cost / (Utilization * CalibrationPlan.Throughput) / 2);
            await Task.Delay(pause, cancellationToken);
            if (await callAsync(clients.Reference, n) is { Succeeded: true } same)
                calls.Add(same, toReference: true);
            await Task.Delay(pause, cancellationToken);
        }

        // Calls take time besides the pauses, so less of the budget was used than was allowed; one call may be more than a second's share.
        var share = charged / Stopwatch.GetElapsedTime(started).TotalSeconds / CalibrationPlan.Throughput;
        var own = cost * partitions / CalibrationPlan.Throughput;
        data.Latencies.Add(calls.ToSample(kind, ConnectionMode.Direct) with
        {
            Operations = operations, Kilobytes = kilobytes, Utilization = Math.Min(1, Math.Max(own, share)),
        });
        return true;
    }
}
