namespace ScaleOut.DevBox;

/// <summary>A word of a command line, as it can be pasted into a shell.</summary>
internal static class ShellWord
{
    public static string Quoted(string word) =>
        word.Length > 0 && word.All(c => char.IsLetterOrDigit(c) || "-_./:,@%+".Contains(c, StringComparison.Ordinal))
            ? word
            : $"\"{word.Replace("\"", "\\\"", StringComparison.Ordinal)}\"";
}
