namespace ScaleOut.DevBox.Commands;

/// <summary>Reads files that a user names.</summary>
internal static class InputFile
{
    private const long MaxBytes = 256L << 20;

    /// <exception cref="InputException">The file cannot be read, or its content is invalid.</exception>
    public static async Task<PriceList> ReadPricesAsync(string file, CancellationToken cancellationToken)
    {
        var reading = PriceList.Read(await ReadAsync(file, "price file", cancellationToken));
        return reading.Value ?? throw new InputException([.. reading.Errors.Select(error => $"{file}: {error}")]);
    }

    /// <summary>The file's text.</summary>
    /// <param name="kind">The kind of file that messages name, such as <c>spec file</c>.</param>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public static async Task<string> ReadAsync(string file, string kind, CancellationToken cancellationToken)
    {
        if (Directory.Exists(file))
            throw new InputException($"{file}: a folder, not a {kind}.");
        try
        {
            if (RegularFile.WhyUnreadable(file, MaxBytes) is { } reason)
                throw new InputException($"{file}: the {kind} {reason}.");
            using var reader = Utf8Lines.Open(file);
            return await reader.ReadToEndAsync(cancellationToken);
        }
        catch (DecoderFallbackException)
        {
            throw new InputException($"{file}: {Utf8Lines.WhyInvalid(file)}.");
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new InputException($"{file}: there is no such {kind}.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new InputException($"{file}: the {kind} cannot be read: {OneLine.From(e.Message)}");
        }
    }
}
