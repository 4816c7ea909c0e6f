using System.Globalization;
using System.Security.Cryptography;
using ScaleOut.Validation;

namespace ScaleOut.Specs;

/// <summary>Ids of runs: what they look like, and those of runs that were given none.</summary>
public static class RunIds
{
    /// <summary>Ids of runs and names that are made from them.</summary>
    public static readonly TextForm Form = new(
        "a run id such as \"million-1\" (a-z, 0-9 and '-', at most 40 characters, no '-' in front)", "^[a-z0-9][a-z0-9-]{0,39}$", 40);

    private const string Letters = "abcdefghijkmnpqrstuvwxyz23456789";

    /// <summary>Such as <c>r-20261121-170412-x7</c>: in order of time, and apart even within a second.</summary>
    public static string New(DateTimeOffset now) =>
        string.Create(CultureInfo.InvariantCulture, $"r-{now.UtcDateTime:yyyyMMdd-HHmmss}-{RandomNumberGenerator.GetString(Letters, 2)}");
}
