namespace ScaleOut.Specs;

/// <summary>The form of run ids, and new ids.</summary>
public static class RunIds
{
    /// <summary>The form of run ids and names that are made from them.</summary>
    public static readonly TextForm Form = new(
        "a run id such as \"million-1\" (a-z, 0-9 and '-', at most 40 characters, no '-' in front)", "^[a-z0-9][a-z0-9-]{0,39}$", 40);

    private const string Letters = "abcdefghijkmnpqrstuvwxyz23456789";

    /// <summary>
    /// A new id, such as <c>r-20261121-170412-x7</c>. Ids sort by time. Two random characters make equal ids within a second unlikely.
    /// </summary>
    public static string New(DateTimeOffset now) =>
        string.Create(CultureInfo.InvariantCulture, $"r-{now.UtcDateTime:yyyyMMdd-HHmmss}-{RandomNumberGenerator.GetString(Letters, 2)}");
}
