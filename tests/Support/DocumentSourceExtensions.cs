namespace ScaleOut.Tests.Support;

internal static class DocumentSourceExtensions
{
    /// <summary>A document as JSON, with its own key unless one is given.</summary>
    public static string Write(this IDocumentSource source, long number, string? key = null)
    {
        var buffer = new byte[source.MaxBytes];
        return Encoding.UTF8.GetString(buffer, 0, source.Write(number, key ?? source.KeyOf(number), buffer));
    }
}
