using System.Globalization;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Where the next page begins: behind a document of a physical partition.</summary>
internal readonly record struct QueryContinuation(int Partition, long AfterSequence)
{
    private const string Mark = "+RID:~";

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Mark}{Partition}#{AfterSequence}");

    /// <summary>False for a text that <see cref="ToString"/> did not make.</summary>
    public static bool TryParse(string text, out QueryContinuation continuation)
    {
        continuation = default;
        if (!text.StartsWith(Mark, StringComparison.Ordinal))
            return false;
        ReadOnlySpan<char> rest = text.AsSpan(Mark.Length);
        int cut = rest.IndexOf('#');
        if (cut < 0
            || !int.TryParse(rest[..cut], NumberStyles.None, CultureInfo.InvariantCulture, out int partition)
            || !long.TryParse(rest[(cut + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out long sequence))
            return false;
        continuation = new QueryContinuation(partition, sequence);
        return true;
    }
}
