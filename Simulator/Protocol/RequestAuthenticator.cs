namespace ScaleOut.Simulator.Protocol;

/// <summary>Checks the HMAC-SHA256 signatures of one connection's requests. It keeps the hash and the last date.</summary>
/// <param name="acceptsTokens">Whether every token of an identity is accepted.</param>
internal sealed class RequestAuthenticator(byte[] key, AccountClock clock, bool acceptsTokens) : IDisposable
{
    private const int SignatureBytes = 32;
    private const int MaxAuthorization = 512;
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(15);

    private readonly IncrementalHash _hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
    private byte[] _lastDate = [];
    private byte[] _lastDateSuffix = [];
    private DateTime _lastDateUtc;

    /// <param name="prefixes">The texts that the signed text may begin with, up to the date.</param>
    /// <exception cref="RequestException">401: not signed with the account's key; 403: the date is too far off.</exception>
    public void Check(AccountRequest request, ReadOnlySpan<ReadOnlyMemory<byte>> prefixes)
    {
        var authorization = request.Bytes(RequestField.Authorization).Span;
        if (acceptsTokens && IsOfIdentity(authorization) && HasToken(authorization))
            return;
        var date = request.Bytes(RequestField.Date).Span;
        Span<byte> signature = stackalloc byte[SignatureBytes];
        var error = authorization.IsEmpty ? "Required Header authorization is missing. Ensure a valid Authorization token is passed."
            : IsOfIdentity(authorization)
                ? "The token of an identity (AAD) can't serve the request: the simulated account accepts only its key, unless it is "
                + "started so that it accepts any token."
            : date.IsEmpty ? "Required Header x-ms-date is missing."
            : !TryRememberDate(date) ? "The x-ms-date header is not a date in the format of RFC 1123."
            : !TryReadSignature(authorization, signature)
                ? "The authorization header is not a token of type master, version 1.0, with a signature."
            : !IsSigned(prefixes, signature)
                ? "The input authorization token can't serve the request. Please check that the expected payload is built as "
                + "per the protocol, and check the key being used."
            : null;
        if (error is not null)
            throw RequestException.Rejected(error, ServiceStatus.Unauthorized);
        if (!clock.MayHaveSignedAt(_lastDateUtc, Tolerance))
            throw RequestException.Rejected("The authorization token is not valid at the current time.", ServiceStatus.Forbidden);
    }

    public void Dispose() => _hmac.Dispose();

    /// <summary>Whether the token begins with <c>type=aad</c>, percent-encoded or not. Such requests have no date.</summary>
    private static bool IsOfIdentity(ReadOnlySpan<byte> authorization)
    {
        var plain = "type=aad"u8;
        var encoded = "type%3Daad"u8;
        return (authorization.Length >= plain.Length && Ascii.EqualsIgnoreCase(authorization[..plain.Length], plain))
            || (authorization.Length >= encoded.Length && Ascii.EqualsIgnoreCase(authorization[..encoded.Length], encoded));
    }

    /// <summary>Whether a text follows <c>sig=</c>, percent-encoded or not.</summary>
    private static bool HasToken(ReadOnlySpan<byte> authorization)
    {
        var at = authorization.IndexOf("sig"u8);
        var after = authorization[(at + "sig".Length)..];
        return at > 0 && after.Length > (after.StartsWith("="u8) ? "=" : "%3D").Length;
    }

    private bool IsSigned(ReadOnlySpan<ReadOnlyMemory<byte>> prefixes, ReadOnlySpan<byte> signature)
    {
        Span<byte> expected = stackalloc byte[SignatureBytes];
        foreach (var prefix in prefixes)
        {
            _hmac.AppendData(prefix.Span);
            _hmac.AppendData(_lastDateSuffix);
            _hmac.GetHashAndReset(expected);
            if (CryptographicOperations.FixedTimeEquals(expected, signature))
                return true;
        }

        return false;
    }

    private bool TryRememberDate(ReadOnlySpan<byte> date)
    {
        if (date.SequenceEqual(_lastDate))
            return true;
        var text = Encoding.UTF8.GetString(date);
        const DateTimeStyles utcOnly = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        const string zone = " GMT";
        // Clients write it in any case, which the format "r" does not allow.
        if (!text.EndsWith(zone, StringComparison.OrdinalIgnoreCase)
            || !DateTime.TryParseExact(
                text.AsSpan()[..^zone.Length], "ddd, dd MMM yyyy HH:mm:ss", CultureInfo.InvariantCulture, utcOnly, out var utc))
            return false;
        _lastDate = date.ToArray();
        _lastDateUtc = utc;
        // The protocol signs lower case.
        _lastDateSuffix = Encoding.ASCII.GetBytes(text.ToLowerInvariant() + "\n\n");
        return true;
    }

    /// <summary>Reads <c>type=master&amp;ver=1.0&amp;sig=...</c>, which is percent-encoded, partly twice.</summary>
    private static bool TryReadSignature(ReadOnlySpan<byte> authorization, Span<byte> signature)
    {
        if (authorization.Length >= MaxAuthorization)
            return false;
        Span<byte> token = stackalloc byte[MaxAuthorization];
        if (!TryUnescape(authorization, token, out var length))
            return false;
        token = token[..length];
        var at = token.IndexOf("sig="u8);
        if (at < 0 || !token.StartsWith("type=master&ver=1.0&"u8))
            return false;
        return Base64.DecodeFromUtf8(token[(at + 4)..], signature, out var consumed, out var written) == OperationStatus.Done
            && written == SignatureBytes && consumed == length - at - 4;
    }

    private static bool TryUnescape(ReadOnlySpan<byte> text, Span<byte> destination, out int length)
    {
        length = 0;
        while (true)
        {
            var escape = text.IndexOf((byte)'%');
            var plain = escape < 0 ? text : text[..escape];
            plain.CopyTo(destination[length..]);
            length += plain.Length;
            if (escape < 0)
                return true;
            if (text.Length < escape + 3
                || !Utf8Parser.TryParse(text.Slice(escape + 1, 2), out byte value, out var consumed, 'x') || consumed != 2)
                return false;
            destination[length++] = value;
            text = text[(escape + 3)..];
        }
    }
}
