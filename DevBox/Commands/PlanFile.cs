namespace ScaleOut.DevBox.Commands;

/// <summary>Reads files that a user names.</summary>
internal static class PlanFile
{
    /// <summary>The file's text.</summary>
    /// <param name="file">Its path.</param>
    /// <param name="kind">What it should be, such as <c>plan file</c>.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="InputException">It cannot be read.</exception>
    public static async Task<string> ReadAsync(string file, string kind, CancellationToken cancellationToken)
    {
        if (Directory.Exists(file))
            throw new InputException($"{file}: a folder, not a {kind}.");
        try
        {
            return await File.ReadAllTextAsync(file, cancellationToken);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new InputException($"{file}: there is no such {kind}.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new InputException($"{file}: the {kind} cannot be read: {OneLine.Of(e.Message)}");
        }
    }
}
