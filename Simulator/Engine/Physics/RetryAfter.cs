using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>What a 429 has the client to wait, as <see cref="ThrottlingSpec"/> says.</summary>
internal sealed class RetryAfter(ThrottlingSpec throttling, SeededNoise noise)
{
    /// <summary>Whether there are no 429s.</summary>
    public bool IsOff => throttling.IsOff;

    /// <summary>The header's value.</summary>
    /// <param name="untilPositiveMs">Whole milliseconds until the balance is positive again.</param>
    public int NextMs(int untilPositiveMs)
    {
        double factor = 1 + (throttling.RetryAfterSpread * ((2 * noise.NextUniform()) - 1));
        return (int)Math.Clamp(Math.Ceiling(untilPositiveMs * factor), throttling.RetryAfterMinMs, throttling.RetryAfterMaxMs);
    }
}
