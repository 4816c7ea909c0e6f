using System.Globalization;
using ScaleOut.Simulator.Partitions;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Session tokens: <c>range:-1#lsn</c>, several with commas between.</summary>
internal static class SessionTokens
{
    public static string Write(PhysicalPartition partition, long lsn) => string.Create(CultureInfo.InvariantCulture, $"{partition.Id}:-1#{lsn}");

    /// <summary>The LSN that the tokens name for a partition, 0 for none; false when they are malformed.</summary>
    public static bool TryRead(string? tokens, int partition, out long lsn)
    {
        lsn = 0;
        if (string.IsNullOrEmpty(tokens))
            return true;
        foreach (Range part in tokens.AsSpan().Split(','))
        {
            ReadOnlySpan<char> token = tokens.AsSpan(part).Trim();
            int colon = token.IndexOf(':');
            int hash = token.IndexOf('#');
            if (colon < 0 || hash < colon || !int.TryParse(token[..colon], NumberStyles.None, CultureInfo.InvariantCulture, out int range))
                return false;
            ReadOnlySpan<char> number = token[(hash + 1)..];
            // Behind the global LSN there may be one per region.
            int next = number.IndexOf('#');
            if (!long.TryParse(next < 0 ? number : number[..next], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value))
                return false;
            if (range == partition)
                lsn = Math.Max(lsn, value);
        }

        return true;
    }
}
