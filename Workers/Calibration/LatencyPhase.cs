using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Latencies of creates and reads of one small document in an open loop at a share of the budget. Keys are spread evenly, so every physical
/// partition has that share. Some calls between them go to the reference account.
/// </summary>
internal sealed class LatencyPhase(CalibrationClients clients, CalibrationData data, CancellationToken cancellationToken)
{
    private const int Keys = 500;
    private const int PreloadedDocuments = 50;

    /// <summary>
    /// Calls to the reference account a second, at most: enough to know how they vary. Under the lowest load they are half of all calls.
    /// </summary>
    private const double ReferencePerSecond = 40;

    /// <summary>One level of load.</summary>
    /// <param name="mode">The clients'.</param>
    /// <param name="share">Of the budget.</param>
    /// <param name="duration">How long.</param>
    /// <returns>False where the cost limit ended it.</returns>
    public async Task<bool> RunAsync(ConnectionMode mode, double share, TimeSpan duration)
    {
        var name = FormattableString.Invariant($"{mode}-{share * 100:0}").ToLowerInvariant();
        if (!await PreloadAsync(clients.Account, name) || !await PreloadAsync(clients.Reference, name))
            return false;
        LatencyKind[] kinds = [LatencyKind.Write, LatencyKind.Read];
        var calls = kinds.ToDictionary(kind => kind, _ => new CallTimes());
        // So many creates and reads to the account for one of each to the reference.
        var perSecond = kinds.Length * share * CalibrationPlan.Throughput / (Charge(ChargedKind.Create) + Charge(ChargedKind.Read));
        var pairs = Math.Max(1, (int)Math.Round(perSecond / ReferencePerSecond));
        var complete = await OpenLoad.RunAsync(perSecond * (pairs + 1) / pairs, duration, kinds.Length * (pairs + 1), async (n, slot) =>
        {
            var kind = kinds[slot % kinds.Length];
            var toReference = slot / kinds.Length == pairs;
            var client = toReference ? clients.Reference : clients.Account;
            var call = kind == LatencyKind.Write
                ? await client.CreateSmallAsync($"{name}-{n}", $"{name}-{n % Keys}")
                : await client.ReadSmallAsync(Preloaded(name, n));
            if (call is not { } one)
                return false;
            if (one.Succeeded)
                calls[kind].Add(one, toReference);
            else if (!one.Throttled)
                data.NoteError($"latency at {share * 100:0}% of the budget", one.Response);
            return true;
        }, cancellationToken);
        foreach (var kind in kinds)
            data.Latencies.Add(calls[kind].ToSample(kind, mode) with { Utilization = share });
        return complete;
    }

    /// <summary>What one operation on a small document was charged; as documented where it was not measured.</summary>
    private double Charge(ChargedKind kind) =>
        data.Charges.Where(one => one.Kind == kind && one is { Bytes: ChargePhase.SmallBytes, IndexEntries: 0 })
            .Select(one => one.RequestUnits)
            .DefaultIfEmpty(kind == ChargedKind.Create
                ? ChargeModel.Documented.Create(ChargePhase.SmallBytes, 0)
                : ChargeModel.Documented.Read(ChargePhase.SmallBytes))
            .Average();

    private async Task<bool> PreloadAsync(CalibrationClient client, string name)
    {
        for (var i = 0; i < PreloadedDocuments; i++)
        {
            if (!await client.PreloadAsync(Preloaded(name, i), cancellationToken))
                return false;
        }

        return true;
    }

    private static string Preloaded(string name, int n) =>
        FormattableString.Invariant($"{name}-first-{n % PreloadedDocuments}");
}
