using System.Globalization;
using System.Text;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Where the next page begins: behind a document of a physical partition.</summary>
/// <param name="Partition">Ordinal of the physical partition.</param>
/// <param name="AfterSequence">The place of the last document looked at in the order of scanning.</param>
/// <param name="Passed">Results so far, those that were not returned too; only of queries that count, order or group them.</param>
/// <param name="Order">By what the last result was ordered, as JSON; null for a query without ORDER BY.</param>
internal readonly record struct QueryContinuation(int Partition, long AfterSequence, long Passed = 0, string? Order = null)
{
    private const string Mark = "+RID:~";

    public override string ToString()
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{Mark}{Partition}#{AfterSequence}");
        if (Passed > 0 || Order is not null)
            text += string.Create(CultureInfo.InvariantCulture, $"#{Passed}");
        return Order is null ? text : $"{text}#{Convert.ToBase64String(Encoding.UTF8.GetBytes(Order))}";
    }

    /// <summary>False for a text that <see cref="ToString"/> did not make.</summary>
    public static bool TryParse(string text, out QueryContinuation continuation)
    {
        continuation = default;
        if (!text.StartsWith(Mark, StringComparison.Ordinal))
            return false;
        string[] parts = text[Mark.Length..].Split('#');
        long passed = 0;
        string? order = null;
        if (parts.Length is < 2 or > 4
            || !int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out int partition)
            || !long.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out long sequence)
            || (parts.Length > 2 && !long.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out passed))
            || (parts.Length > 3 && !TryDecode(parts[3], out order)))
            return false;
        continuation = new QueryContinuation(partition, sequence, passed, order);
        return true;
    }

    private static bool TryDecode(string base64, out string? text)
    {
        byte[] bytes = new byte[base64.Length];
        bool isValid = Convert.TryFromBase64String(base64, bytes, out int written);
        text = isValid ? Encoding.UTF8.GetString(bytes, 0, written) : null;
        return isValid;
    }
}
