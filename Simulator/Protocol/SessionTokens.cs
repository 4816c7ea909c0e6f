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

internal static class ConsistencyLevels
{
    /// <summary>The level of a header; null for an unknown one.</summary>
    public static ConsistencyLevel? From(string name) =>
        name.All(char.IsAsciiLetter) && Enum.TryParse(name, ignoreCase: true, out ConsistencyLevel level) ? level : null;

    /// <summary>The level of the Direct protocol's number; null for an unknown one.</summary>
    public static ConsistencyLevel? From(byte number) => number switch
    {
        0 => ConsistencyLevel.Strong,
        1 => ConsistencyLevel.BoundedStaleness,
        2 => ConsistencyLevel.Session,
        3 => ConsistencyLevel.Eventual,
        4 => ConsistencyLevel.ConsistentPrefix,
        _ => null,
    };

    /// <summary>
    /// The charges of a request's work. At Strong and BoundedStaleness consistency, a read asks two replicas. A Direct client sends each of
    /// them a request and adds both charges, so each costs one read. The gateway asks both itself, and the account does the reads of a
    /// batch, so these cost double.
    /// </summary>
    public static RequestCharges ChargesOf(AccountRequest request, AccountEngine engine, DocumentWork work)
    {
        var isStrong = (request.Consistency ?? engine.Consistency).AsksTwoReplicas();
        var asksTwice = work.Kind == OperationKind.Batch || (!work.IsWrite && request.Mode == ConnectionMode.Gateway);
        return isStrong && asksTwice ? engine.Charges.Strong : engine.Charges;
    }

    /// <exception cref="RequestException">400: the level is stronger than the account's.</exception>
    public static void Check(ConsistencyLevel? level, ConsistencyLevel ofAccount)
    {
        if (level < ofAccount)
        {
            throw RequestException.BadRequest(
                $"ConsistencyLevel {level} specified in the request is invalid when service is configured "
                + $"with consistency level {ofAccount}. "
                + "Ensure the request consistency level is not stronger than the service consistency level.");
        }
    }
}
