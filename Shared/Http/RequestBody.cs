using System.Text;

namespace ScaleOut.Http;

/// <summary>The JSON text that came with a request.</summary>
public static class RequestBody
{
    /// <summary>Longest body that is read, in bytes: 1 MiB, several times what the largest plan needs.</summary>
    public const int MostBytes = 1024 * 1024;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Reads the body.</summary>
    /// <returns>The text, or the answer that says why there is none.</returns>
    internal static async Task<(string? Text, HttpAnswer? Refusal)> ReadJsonAsync(HttpCall call, string what, CancellationToken cancellationToken)
    {
        if (!IsJson(call.ContentType))
            return (null, Problems.NotJson(call));
        if (call.ContentLength > MostBytes)
            return (null, Problems.TooLarge(call));

        using var bytes = new MemoryStream();
        var buffer = new byte[16 * 1024];
        while (await call.Body.ReadAsync(buffer, cancellationToken) is > 0 and var read)
        {
            if (bytes.Length + read > MostBytes)
                return (null, Problems.TooLarge(call));
            bytes.Write(buffer, 0, read);
        }

        try
        {
            return (Utf8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length), null);
        }
        catch (DecoderFallbackException)
        {
            return (null, Problems.InvalidSpec(call, what, [new("", "is not text in UTF-8")]));
        }
    }

    /// <summary>Whether a request for which no body is asked has one that is no JSON: that comes from a form, and thus perhaps from another site's page.</summary>
    internal static bool IsForeign(string? contentType) => contentType is not null && !IsJson(contentType);

    /// <summary>Whether a Content-Type says JSON in UTF-8. Only that: a form on another site's page cannot send it without asking first.</summary>
    internal static bool IsJson(string? contentType)
    {
        if (contentType is null)
            return false;
        var parts = contentType.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length == 0 || !parts[0].Equals("application/json", StringComparison.OrdinalIgnoreCase))
            return false;
        return parts.Skip(1).All(part =>
            !part.StartsWith("charset=", StringComparison.OrdinalIgnoreCase) || part["charset=".Length..].Trim('"').Equals("utf-8", StringComparison.OrdinalIgnoreCase));
    }
}
