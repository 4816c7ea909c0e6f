using System.Globalization;
using System.Security.Cryptography;

namespace ScaleOut.Specs;

/// <summary>Ids for runs that were given none.</summary>
public static class RunIds
{
    private const string Letters = "abcdefghijkmnpqrstuvwxyz23456789";

    /// <summary>Such as <c>r-20261121-170412-x7</c>: in order of time, and apart even within a second.</summary>
    public static string New(DateTimeOffset now) =>
        string.Create(CultureInfo.InvariantCulture, $"r-{now.UtcDateTime:yyyyMMdd-HHmmss}-{RandomNumberGenerator.GetString(Letters, 2)}");
}
