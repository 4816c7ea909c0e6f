namespace ScaleOut.Profiles;

/// <summary><c>profile.json</c>: a profile with a version and a checksum, as the items of a run are kept.</summary>
public static class ProfileFile
{
    /// <summary>The file's name where the user gives none.</summary>
    public const string DefaultName = "profile.json";

    /// <summary>What the file says that it is, wherever it lies.</summary>
    private const string Item = "account-profile";

    /// <summary>The file's content.</summary>
    public static byte[] Write(AccountProfile profile) => StoredItem.Write(Item, profile, ScaleOutJson.Indented);

    /// <summary>The profile of a file; a line break at its end, as editors and consoles add, is no damage.</summary>
    /// <exception cref="EvidenceException">It is damaged, no profile, or of another version of this program.</exception>
    public static AccountProfile Read(ReadOnlySpan<byte> content) =>
        StoredItem.Read<AccountProfile>(Item, content.TrimEnd("\r\n"u8), ScaleOutJson.Indented);
}
