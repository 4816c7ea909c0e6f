namespace ScaleOut.Specs;

public static class TableNames
{
    private const string Prefix = "run";
    private const int HashDigits = 16;

    /// <summary>
    /// The table name of a run: <c>run</c> and the run's id. Names of tables have only letters and digits. An id with dashes loses them and
    /// gets a hash of the id as a suffix, so that names stay unique. A name has at most 60 of the permitted 63 characters.
    /// </summary>
    public static string From(string runId)
    {
        var letters = runId.Replace("-", "", StringComparison.Ordinal);
        if (letters.Length == runId.Length)
            return Prefix + runId;
        var hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(runId)));
        return $"{Prefix}{letters}x{hash[..HashDigits]}";
    }
}
