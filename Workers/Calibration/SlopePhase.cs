using System.Diagnostics;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Latencies of larger documents and of batches in Direct, one after the other and with pauses, so that the partition stays nearly idle.
/// </summary>
/// <param name="client">The client.</param>
/// <param name="data">Takes the latencies.</param>
/// <param name="partitions">Physical partitions of the container.</param>
/// <param name="cancellationToken">Ends it early.</param>
/// <param name="isReference">Whether the account is the one whose responses take a known time, whatever its load.</param>
internal sealed class SlopePhase(
    CalibrationClient client, CalibrationData data, int partitions, CancellationToken cancellationToken, bool isReference = false)
{
    /// <summary>Share of the whole budget that the phase uses.</summary>
    public const double Utilization = 0.2;

    /// <summary>As <see cref="Utilization"/>, of the reference account.</summary>
    private const double ReferenceUtilization = 0.9;

    private const double BytesPerKilobyte = 1_024;

    /// <summary>Runs for a time, shared by all sizes and batches.</summary>
    /// <returns>False where the cost limit ended it.</returns>
    public async Task<bool> RunAsync(TimeSpan duration)
    {
        var parts = (2 * CalibrationPlan.LatencyKilobytes.Count) + CalibrationPlan.BatchSizes.Count;
        foreach (var kilobytes in CalibrationPlan.LatencyKilobytes)
        {
            var (bytes, charges) = (kilobytes * 1_024, ChargeModel.Documented);
            var last = "";
            if (!await RepeatAsync(LatencyKind.Write, 1, kilobytes, charges.Create(bytes, 0), duration / parts, n =>
                    client.CreateAsync(last = $"slope-{kilobytes}-{n}", last, bytes, 0, 2 * charges.Create(bytes, 0)))
                || !await RepeatAsync(LatencyKind.Read, 1, kilobytes, charges.Read(bytes), duration / parts, _ =>
                    client.ReadAsync(last, last, 2 * charges.Read(bytes))))
                return false;
        }

        foreach (var operations in CalibrationPlan.BatchSizes)
        {
            var cost = operations * ChargeModel.Documented.Create(ChargePhase.SmallBytes, 0);
            var kilobytes = operations * ChargePhase.SmallBytes / BytesPerKilobyte;
            if (!await RepeatAsync(LatencyKind.Write, operations, kilobytes, cost, duration / parts, n => client.BatchAsync(
                    [.. Enumerable.Range(0, operations).Select(i => $"slope-{n}-{i}")], $"slope-{operations}-{n}", ChargePhase.SmallBytes,
                    2 * cost)))
                return false;
        }

        return true;
    }

    private async Task<bool> RepeatAsync(
        LatencyKind kind, int operations, double kilobytes, double cost, TimeSpan duration, Func<int, Task<CalibrationCall?>> callAsync)
    {
        List<double> ms = [];
        List<double> charges = [];
        var started = Stopwatch.GetTimestamp();
        var share = isReference ? ReferenceUtilization : Utilization;
        var pause = TimeSpan.FromSeconds(cost / (share * CalibrationPlan.Throughput));
        for (var n = 0; n == 0 || Stopwatch.GetElapsedTime(started) < duration; n++)
        {
            if (await callAsync(n) is not { } call)
                return false;
            if (call.Succeeded)
            {
                ms.Add(call.Ms);
                charges.Add(call.Response.RequestUnits);
            }
            else if (!call.Throttled)
            {
                data.NoteError($"latency of {operations} operations and {kilobytes:0} KB", call.Response);
            }

            await Task.Delay(pause, cancellationToken);
        }

        // What it costs itself weighs on its partition, too.
        var own = charges.Count == 0 ? 0 : charges.Average() / (CalibrationPlan.Throughput / (double)partitions);
        data.Latencies.Add(new LatencySample
        {
            Kind = kind, Mode = ConnectionMode.Direct, Operations = operations, Kilobytes = kilobytes, Ms = ms,
            Utilization = Math.Min(1, Math.Max(own, share)), IsReference = isReference,
        });
        return true;
    }
}
