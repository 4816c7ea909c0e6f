namespace ScaleOut.Texts;

/// <summary>A word of a command line, as it can be pasted into a shell: bash and its like, or PowerShell on Windows.</summary>
public static class ShellWord
{
    /// <summary>What a shell reads within double quotes. On Windows a backslash is a part of paths.</summary>
    private static readonly SearchValues<char> LiveInDoubleQuotes =
        SearchValues.Create(OperatingSystem.IsWindows() ? "\"$`!" : "\"$`!\\");

    public static string Quoted(string word)
    {
        if (word.Length > 0 && word.All(c => char.IsLetterOrDigit(c) || "-_./:,@%+".Contains(c, StringComparison.Ordinal)))
            return word;
        return word.AsSpan().ContainsAny(LiveInDoubleQuotes)
            ? $"'{word.Replace("'", OperatingSystem.IsWindows() ? "''" : "'\\''", StringComparison.Ordinal)}'"
            : $"\"{word}\"";
    }
}
