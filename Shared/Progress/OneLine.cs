namespace ScaleOut.Progress;

/// <summary>Texts of unknown shape on one line of bounded length.</summary>
public static class OneLine
{
    private const int Longest = 300;

    public static string From(string text)
    {
        var line = string.Join(' ', text.Split(['\r', '\n', '\t'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
        return line.Length <= Longest ? line : line[..Longest] + "…";
    }
}
