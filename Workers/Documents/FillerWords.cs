namespace ScaleOut.Workers.Documents;

/// <summary>Filling text.</summary>
internal static class FillerWords
{
    private static readonly byte[][] All =
    [
        .. "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey yankee zulu"
            .Split(' ').Select(System.Text.Encoding.ASCII.GetBytes),
    ];

    /// <summary>Writes words of so many letters together, blanks included.</summary>
    public static void Write(ref JsonText json, ref StableRandom random, int letters)
    {
        var end = json.Length + letters;
        while (json.Length < end)
        {
            var word = random.Pick<byte[]>(All).AsSpan();
            json.Raw(word[..Math.Min(word.Length, end - json.Length)]);
            if (json.Length < end)
                json.Raw(" "u8);
        }
    }
}
