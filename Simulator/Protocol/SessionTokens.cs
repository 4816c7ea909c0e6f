namespace ScaleOut.Simulator.Protocol;

/// <summary>Session tokens: <c>range:-1#lsn</c>, several with commas between.</summary>
internal static class SessionTokens
{
    public static string Write(PhysicalPartition partition, long lsn) =>
        string.Create(CultureInfo.InvariantCulture, $"{partition.Id}:-1#{lsn}");

    /// <summary>
    /// Writes a token without its range, to a span of at least 24 bytes; the length. Direct clients write the range's id in front.
    /// </summary>
    public static int WriteWithoutRange(Span<byte> destination, long lsn)
    {
        "-1#"u8.CopyTo(destination);
        Utf8Formatter.TryFormat(lsn, destination[3..], out int digits);
        return 3 + digits;
    }

    /// <summary>
    /// The LSN that the tokens name for a partition, 0 for none; false when they are malformed. One token of ASCII digits is what nearly
    /// every request has, and it costs no text.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> tokens, int partition, out long lsn)
    {
        int hash = tokens.IndexOf((byte)'#');
        bool isOnlyOne = hash > 0 && !tokens.Contains((byte)',') && !tokens[(hash + 1)..].Contains((byte)'#');
        if (isOnlyOne && Utf8Parser.TryParse(tokens, out int range, out int used) && used < hash && tokens[used] == (byte)':'
            && Utf8Parser.TryParse(tokens[(hash + 1)..], out lsn, out int digits) && digits == tokens.Length - hash - 1)
        {
            lsn = range == partition ? Math.Max(lsn, 0) : 0;
            return true;
        }

        lsn = 0;
        return tokens.IsEmpty || TryReadAll(Encoding.UTF8.GetString(tokens), partition, ref lsn);
    }

    private static bool TryReadAll(string tokens, int partition, ref long lsn)
    {
        foreach (Range part in tokens.AsSpan().Split(','))
        {
            ReadOnlySpan<char> token = tokens.AsSpan(part).Trim();
            int colon = token.IndexOf(':');
            int hash = token.IndexOf('#');
            if (colon < 0 || hash < colon || !int.TryParse(token[..colon], NumberStyles.None, CultureInfo.InvariantCulture, out int range))
                return false;
            ReadOnlySpan<char> number = token[(hash + 1)..];
            // Behind the global LSN there may be one per region.
            int next = number.IndexOf('#');
            number = next < 0 ? number : number[..next];
            if (!long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value))
                return false;
            if (range == partition)
                lsn = Math.Max(lsn, value);
        }

        return true;
    }
}

/// <summary>Consistency levels as requests name them.</summary>
internal static class ConsistencyLevels
{
    /// <summary>From the name in a header; null for none.</summary>
    public static ConsistencyLevel? From(string name) =>
        name.All(char.IsAsciiLetter) && Enum.TryParse(name, ignoreCase: true, out ConsistencyLevel level) ? level : null;

    /// <summary>From the number of the Direct protocol; null for none.</summary>
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
    /// What a request's work costs. Reads at Strong and BoundedStaleness consistency cost double, since two replicas are asked: the gateway
    /// asks both itself, while a Direct client sends each of them a request of its own. Of a batch the account does the reads.
    /// </summary>
    public static RequestCharges ChargesOf(AccountRequest request, AccountEngine engine, DocumentWork work)
    {
        bool isStrong = (request.Consistency ?? engine.Consistency).AsksTwoReplicas();
        bool asksTwice = work.Kind == OperationKind.Batch || (!work.IsWrite && request.Mode == ConnectionMode.Gateway);
        return isStrong && asksTwice ? engine.Charges.Strong : engine.Charges;
    }

    /// <exception cref="RequestException">400: a request asks for more than the account keeps.</exception>
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
