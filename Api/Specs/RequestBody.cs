using System.Net.Mime;
using Microsoft.Net.Http.Headers;

namespace ScaleOut.Api.Specs;

/// <summary>Reads the JSON text of a request.</summary>
public static class RequestBody
{
    /// <summary>Maximum length of a body in bytes: 1 MiB, several times the length of the largest spec.</summary>
    public const int MaxBytes = 1024 * 1024;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <param name="what">Name of the body in errors, such as <c>run</c>.</param>
    /// <returns>The text, or a problem response if the body cannot be read.</returns>
    public static async Task<(string? Text, IResult? Problem)> ReadJsonAsync(HttpContext context, string what)
    {
        var request = context.Request;
        if (!IsJson(request.ContentType))
            return (null, Problems.NotJson(context));
        if (request.ContentLength > MaxBytes)
            return (null, Problems.TooLarge(context, MaxBytes));

        using var bytes = new MemoryStream();
        var buffer = new byte[16 * 1024];
        try
        {
            while (await request.Body.ReadAsync(buffer, context.RequestAborted) is > 0 and var read)
            {
                if (bytes.Length + read > MaxBytes)
                    return (null, Problems.TooLarge(context, MaxBytes));
                bytes.Write(buffer, 0, read);
            }
        }
        catch (IOException e) when (!context.RequestAborted.IsCancellationRequested)
        {
            // An example is a chunk size that is not a number. The server throws a plain IOException if the number is too large.
            return (null, Problems.Unreadable(context, (e as BadHttpRequestException)?.StatusCode ?? StatusCodes.Status400BadRequest));
        }

        try
        {
            return (Utf8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length), null);
        }
        catch (DecoderFallbackException)
        {
            // The response reports it.
            return (null, Problems.InvalidSpec(context, what, [new("", "is not text in UTF-8")]));
        }
    }

    /// <summary>
    /// Whether a request that needs no body has one that is not JSON. Such a request comes from an HTML form, possibly on another site
    /// (CSRF).
    /// </summary>
    internal static bool IsForeign(HttpContext context) => context.Request.ContentType is { } contentType && !IsJson(contentType);

    /// <summary>
    /// Whether a Content-Type is JSON in UTF-8. Only this type is accepted, because a form on another site's page cannot send it without a
    /// CORS preflight request.
    /// </summary>
    private static bool IsJson(string? contentType) =>
        MediaTypeHeaderValue.TryParse(contentType, out var type)
        && type.MediaType.Equals(MediaTypeNames.Application.Json, StringComparison.OrdinalIgnoreCase)
        && (!type.Charset.HasValue || HeaderUtilities.RemoveQuotes(type.Charset).Equals("utf-8", StringComparison.OrdinalIgnoreCase));
}
