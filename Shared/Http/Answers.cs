using System.Globalization;

namespace ScaleOut.Http;

/// <summary>Answers that runs and experiments have in common.</summary>
internal static class Answers
{
    /// <summary>How long a client may wait before it asks again, in seconds.</summary>
    public const int RetryAfterSeconds = 2;

    /// <summary>202: it is under way, and where to look.</summary>
    public static HttpAnswer Accepted<T>(T body, string statusUri) => HttpAnswer.Json(202, body).With("Location", statusUri).With("Retry-After", RetryAfter);

    /// <summary>200: how far it is, and when to ask again unless it has ended.</summary>
    public static HttpAnswer Status<T>(T body, bool ended) => ended ? HttpAnswer.Json(200, body) : HttpAnswer.Json(200, body).With("Retry-After", RetryAfter);

    private static string RetryAfter => RetryAfterSeconds.ToString(CultureInfo.InvariantCulture);
}
