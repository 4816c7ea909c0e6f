using System.Collections.Concurrent;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Latencies of creates and reads of one small document in an open loop at a share of the budget. Keys are spread evenly, so every physical
/// partition has that share.
/// </summary>
/// <param name="client">The client.</param>
/// <param name="data">Takes the latencies.</param>
/// <param name="cancellationToken">Ends it early.</param>
/// <param name="isReference">Whether the account is the one whose responses take a known time.</param>
internal sealed class LatencyPhase(
    CalibrationClient client, CalibrationData data, CancellationToken cancellationToken, bool isReference = false)
{
    private const int Keys = 500;
    private const int Preloaded = 50;

    private static readonly double WriteCost = 2 * ChargeModel.Documented.Create(ChargePhase.SmallBytes, 0);
    private static readonly double ReadCost = 2 * ChargeModel.Documented.Read(ChargePhase.SmallBytes);

    /// <summary>One level of load.</summary>
    /// <param name="mode">The client's.</param>
    /// <param name="share">Of the budget.</param>
    /// <param name="duration">How long.</param>
    /// <returns>False where the cost limit ended it.</returns>
    public async Task<bool> RunAsync(ConnectionMode mode, double share, TimeSpan duration)
    {
        var name = $"{mode}-{share * 100:0}".ToLowerInvariant();
        if (!await PreloadAsync(name))
            return false;
        var (writes, reads) = (new ConcurrentBag<double>(), new ConcurrentBag<double>());
        var complete = true;
        var pair = Charge(ChargedKind.Create) + Charge(ChargedKind.Read);
        await OpenLoad.RunAsync(2 * share * CalibrationPlan.Throughput / pair, duration, async n =>
        {
            var call = n % 2 == 0
                ? await client.CreateAsync($"{name}-{n}", $"{name}-{n % Keys}", ChargePhase.SmallBytes, 0, WriteCost)
                : await client.ReadAsync($"{name}-first-{n % Preloaded}", $"{name}-first-{n % Preloaded}", ReadCost);
            if (call is not { } one)
                return complete = false;
            if (one.Succeeded)
                (n % 2 == 0 ? writes : reads).Add(one.Ms);
            else if (!one.Throttled)
                data.NoteError($"latency at {share * 100:0}% of the budget", one.Response);
            return true;
        }, cancellationToken);
        Add(LatencyKind.Write, mode, share, writes);
        Add(LatencyKind.Read, mode, share, reads);
        return complete;
    }

    /// <summary>What one operation on a small document was charged; as documented where it was not measured.</summary>
    private double Charge(ChargedKind kind) =>
        data.Charges.Where(one => one.Kind == kind && one is { Bytes: ChargePhase.SmallBytes, IndexEntries: 0 })
            .Select(one => one.RequestUnits)
            .DefaultIfEmpty((kind == ChargedKind.Create ? WriteCost : ReadCost) / 2)
            .Average();

    private async Task<bool> PreloadAsync(string name)
    {
        for (var i = 0; i < Preloaded; i++)
        {
            if (await client.CreateAsync($"{name}-first-{i}", $"{name}-first-{i}", ChargePhase.SmallBytes, 0, WriteCost) is not { } call)
                return false;
            if (call.Throttled)
                await Task.Delay(call.Response.RetryAfter + TimeSpan.FromMilliseconds(1), cancellationToken);
            i -= call.Throttled ? 1 : 0;
        }

        return true;
    }

    private void Add(LatencyKind kind, ConnectionMode mode, double share, IEnumerable<double> ms) =>
        data.Latencies.Add(
            new LatencySample { Kind = kind, Mode = mode, Utilization = share, IsReference = isReference, Ms = [.. ms] });
}
