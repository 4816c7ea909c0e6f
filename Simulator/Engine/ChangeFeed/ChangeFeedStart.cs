using System.Globalization;

namespace ScaleOut.Simulator.Engine.ChangeFeed;

/// <summary>Where a page of a partition's change feed begins.</summary>
/// <param name="AfterLsn">Behind this log sequence number; null for now, behind all that was written yet.</param>
/// <param name="FromSeconds">Only documents whose last change was in this second or later, in seconds since 1970.</param>
internal readonly record struct ChangeFeedStart(long? AfterLsn, long FromSeconds)
{
    /// <summary>Some clients write the day of the month with one digit.</summary>
    private const string Rfc1123 = "ddd, d MMM yyyy HH':'mm':'ss 'GMT'";

    public static readonly ChangeFeedStart Beginning = new(0, 0);

    public static readonly ChangeFeedStart Now = new(null, 0);

    /// <summary>The continuation of a page: the ETag that it responds with.</summary>
    public static string Etag(long lsn) => string.Create(CultureInfo.InvariantCulture, $"\"{lsn}\"");

    /// <summary>Reads the conditions of a request; false when they are none of a change feed.</summary>
    /// <param name="continuation">Header <c>If-None-Match</c>: an ETag of the feed, or <c>*</c> for now.</param>
    /// <param name="modifiedSince">Header <c>If-Modified-Since</c>; a continuation goes before it.</param>
    /// <param name="start">Where the page begins.</param>
    public static bool TryParse(string? continuation, string? modifiedSince, out ChangeFeedStart start)
    {
        start = Beginning;
        if (continuation is not null)
        {
            start = Now;
            if (continuation.Trim() == "*")
                return true;
            bool isLsn = long.TryParse(
                continuation.AsSpan().Trim().Trim('"'), NumberStyles.None, CultureInfo.InvariantCulture, out long lsn);
            start = new ChangeFeedStart(lsn, 0);
            return isLsn;
        }

        if (modifiedSince is null)
            return true;
        bool isTime = DateTimeOffset.TryParseExact(
            modifiedSince, Rfc1123, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset since);
        start = new ChangeFeedStart(0, since.ToUnixTimeSeconds());
        return isTime;
    }
}
