namespace ScaleOut.Simulator.Protocol;

/// <summary>Session tokens: <c>range:-1#lsn</c>, separated by commas.</summary>
internal static class SessionTokens
{
    public static string Write(string range, string lsn) => $"{range}:-1#{lsn}";

    /// <summary>Writes a token without its range, which Direct clients add, to at least 24 bytes. Returns the length.</summary>
    public static int WriteWithoutRange(Span<byte> destination, long lsn)
    {
        "-1#"u8.CopyTo(destination);
        Utf8Formatter.TryFormat(lsn, destination[3..], out var digits);
        return 3 + digits;
    }

    /// <summary>Reads the LSN of a partition; 0 if the tokens have none. False if the tokens are malformed.</summary>
    public static bool TryRead(ReadOnlySpan<byte> tokens, int partition, out long lsn)
    {
        lsn = 0;
        if (tokens.IsEmpty)
            return true;
        foreach (var part in tokens.Split((byte)','))
        {
            var token = tokens[part].Trim(" \t"u8);
            var hash = token.IndexOf((byte)'#');
            if (!Utf8Parser.TryParse(token, out int range, out var colon) || colon > hash || token[colon] != ':'
                || !Utf8Parser.TryParse(token[(hash + 1)..], out long value, out var digits))
                return false;
            // After the global LSN, one for each region may follow.
            var regions = token[(hash + 1 + digits)..];
            if (!regions.IsEmpty && regions[0] != '#')
                return false;
            if (range == partition)
                lsn = Math.Max(lsn, value);
        }

        return true;
    }
}
