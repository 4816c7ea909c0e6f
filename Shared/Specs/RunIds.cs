namespace ScaleOut.Specs;

/// <summary>New ids of runs. Their form is <see cref="TextForm.RunId"/>.</summary>
public static class RunIds
{
    private const string Letters = "abcdefghijkmnpqrstuvwxyz23456789";

    /// <summary>
    /// A new id, such as <c>r-20261121-170412-x7</c>. Ids sort by time. Two random characters make equal ids within a second unlikely.
    /// </summary>
    public static string New(DateTimeOffset now) =>
        string.Create(CultureInfo.InvariantCulture, $"r-{now.UtcDateTime:yyyyMMdd-HHmmss}-{RandomNumberGenerator.GetString(Letters, 2)}");
}
