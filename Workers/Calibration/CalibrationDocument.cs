using System.Globalization;
using System.Text;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Documents of an exact size with an exact number of index entries: the container excludes the key, the filler and
/// <see cref="UnindexedProperty"/> from its index.
/// </summary>
internal static class CalibrationDocument
{
    public const string KeyPath = "/key";

    /// <summary>A property that holds 0 and is in no index, so that a condition on it loads documents.</summary>
    public const string UnindexedProperty = "plain";

    /// <summary>Paths of the container's policy.</summary>
    public static readonly IReadOnlyList<string> ExcludedPaths = [KeyPath + "/?", "/filler/?", $"/{UnindexedProperty}/?"];

    /// <summary>An indexed property, which holds one digit.</summary>
    public static string Term(int index) => string.Create(CultureInfo.InvariantCulture, $"t{index}");

    /// <summary>The document's JSON in UTF-8.</summary>
    /// <param name="id">Of ASCII letters, digits and '-'.</param>
    /// <param name="key">Of ASCII letters, digits and '-'.</param>
    /// <param name="bytes">Its size; must leave room for id, key and terms.</param>
    /// <param name="terms">Index entries.</param>
    /// <param name="digit">What each term holds, 0 to 9.</param>
    public static byte[] Write(string id, string key, int bytes, int terms, int digit = 1)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{{\"id\":\"{id}\",\"key\":\"{key}\",\"{UnindexedProperty}\":0");
        for (var i = 0; i < terms; i++)
            text.Append(CultureInfo.InvariantCulture, $",\"{Term(i)}\":{digit}");
        text.Append(",\"filler\":\"");
        var room = bytes - text.Length - 2;
        ArgumentOutOfRangeException.ThrowIfNegative(room, nameof(bytes));
        text.Append('x', room).Append("\"}");
        return Encoding.ASCII.GetBytes(text.ToString());
    }
}
