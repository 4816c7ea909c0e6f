namespace ScaleOut.Tests.Support;

/// <summary>Stored items whose text was changed, as an editor would that knows how a checksum is calculated.</summary>
internal static partial class ItemText
{
    /// <summary>The bytes of the text, with the right checksum.</summary>
    public static byte[] WithRightChecksum(string text)
    {
        var hashed = Checksum().Replace(text, "$1");
        var digits = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(hashed)));
        return Encoding.UTF8.GetBytes(Checksum().Replace(text, "${1}" + digits));
    }

    [GeneratedRegex("(\"checksum\": ?\"sha256:)[0-9a-f]*")]
    private static partial Regex Checksum();
}
