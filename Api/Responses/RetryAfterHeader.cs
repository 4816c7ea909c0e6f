namespace ScaleOut.Api.Responses;

/// <summary>The header that says when a client should ask again.</summary>
internal static class RetryAfterHeader
{
    private const int RetryAfterSeconds = 2;

    public static void Set(HttpContext context) => context.Response.Headers.RetryAfter = $"{RetryAfterSeconds}";
}
