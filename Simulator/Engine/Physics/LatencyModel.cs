using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// How long an operation takes: the network's round trip, the gateway's hop in Gateway mode, and a log-normal service time.
/// </summary>
internal sealed class LatencyModel(LatencyProfile profile, SeededNoise noise)
{
    /// <summary>
    /// Spread of the logarithm: with it the 99th percentile of a 4 ms write is 9 ms, under the 10 ms the service promises.
    /// </summary>
    public const double LogStandardDeviation = 0.35;

    /// <summary>Time from request to response, in ms.</summary>
    /// <param name="write">Whether the operation is a write; else a read or a query page.</param>
    /// <param name="served">False for an operation that was rejected (429 or a fault) and so took no service time.</param>
    /// <param name="mode">Decides whether the gateway's hop is part of the way.</param>
    public double NextMs(bool write, bool served, ConnectionMode mode)
    {
        double wayMs = profile.RoundTripMs + (mode == ConnectionMode.Gateway ? profile.GatewayHopMs : 0);
        double medianMs = write ? profile.WriteMedianMs : profile.ReadMedianMs;
        return served && medianMs > 0 ? wayMs + (medianMs * Math.Exp(LogStandardDeviation * noise.NextNormal())) : wayMs;
    }
}
