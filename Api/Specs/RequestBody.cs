using System.Net.Mime;
using System.Text;
using Microsoft.Net.Http.Headers;

namespace ScaleOut.Api.Specs;

/// <summary>The JSON text of a request.</summary>
public static class RequestBody
{
    /// <summary>Longest body that is read, in bytes: 1 MiB, several times what the largest spec needs.</summary>
    public const int MaxBytes = 1024 * 1024;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Reads the body of a request.</summary>
    /// <param name="what">What the body is to be, for errors: a run or an experiment.</param>
    /// <returns>The text, or the response that says why there is none.</returns>
    public static async Task<(string? Text, IResult? Problem)> ReadJsonAsync(HttpContext context, string what)
    {
        var request = context.Request;
        if (!IsJson(request.ContentType))
            return (null, Problems.NotJson(context));
        if (request.ContentLength > MaxBytes)
            return (null, Problems.TooLarge(context, MaxBytes));

        using var bytes = new MemoryStream();
        var buffer = new byte[16 * 1024];
        while (await request.Body.ReadAsync(buffer, context.RequestAborted) is > 0 and var read)
        {
            if (bytes.Length + read > MaxBytes)
                return (null, Problems.TooLarge(context, MaxBytes));
            bytes.Write(buffer, 0, read);
        }

        try
        {
            return (Utf8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length), null);
        }
        catch (DecoderFallbackException)
        {
            return (null, Problems.InvalidSpec(context, what, [new("", "is not text in UTF-8")]));
        }
    }

    /// <summary>
    /// Whether a request that needs no body has one that is not JSON: it comes from an HTML form then, and thus perhaps from another site's
    /// page.
    /// </summary>
    internal static bool IsForeign(HttpContext context) => context.Request.ContentType is { } contentType && !IsJson(contentType);

    /// <summary>
    /// Whether a Content-Type says JSON in UTF-8. Nothing else is accepted: a form on another site's page cannot send it without asking
    /// first.
    /// </summary>
    private static bool IsJson(string? contentType) =>
        MediaTypeHeaderValue.TryParse(contentType, out var type)
        && type.MediaType.Equals(MediaTypeNames.Application.Json, StringComparison.OrdinalIgnoreCase)
        && (!type.Charset.HasValue || HeaderUtilities.RemoveQuotes(type.Charset).Equals("utf-8", StringComparison.OrdinalIgnoreCase));
}
