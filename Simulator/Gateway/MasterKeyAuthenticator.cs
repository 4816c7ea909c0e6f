using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using ScaleOut.Simulator.Partitions;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Checks the HMAC-SHA256 that a request is signed with. One per connection: it keeps the hash and the last date.</summary>
internal sealed class MasterKeyAuthenticator(byte[] key, AccountClock clock) : IDisposable
{
    private const int SignatureBytes = 32;
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(15);

    private readonly IncrementalHash _hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
    private string? _lastDate;
    private byte[] _lastDateSuffix = [];
    private DateTime _lastDateUtc;

    /// <summary>0 for a request that is genuine, else the status: 401, or 403 for a date that is too far off.</summary>
    /// <param name="prefixes">What the signed text may begin with, up to the date.</param>
    /// <param name="authorization">The authorization header.</param>
    /// <param name="date">The x-ms-date header.</param>
    /// <param name="fault">What is wrong.</param>
    public int Check(byte[][] prefixes, string? authorization, string? date, out string? fault)
    {
        fault = string.IsNullOrEmpty(authorization) ? "Required Header authorization is missing. Ensure a valid Authorization token is passed."
            : string.IsNullOrEmpty(date) ? "Required Header x-ms-date is missing."
            : !TryRememberDate(date) ? "The x-ms-date header is no date in the form of RFC 1123."
            : null;
        if (fault is not null)
            return 401;
        Span<byte> signature = stackalloc byte[SignatureBytes];
        if (!TryReadSignature(authorization!, signature))
        {
            fault = "The authorization header is no token of type master, version 1.0, with a signature.";
            return 401;
        }

        if (!Matches(prefixes, signature))
        {
            fault = "The input authorization token can't serve the request. Please check that the expected payload is built as per the protocol, and check the key being used.";
            return 401;
        }

        if ((new DateTime(clock.NowTicks, DateTimeKind.Utc) - _lastDateUtc).Duration() > Tolerance)
        {
            fault = "The authorization token is not valid at the current time.";
            return 403;
        }

        return 0;
    }

    public void Dispose() => _hmac.Dispose();

    private bool Matches(byte[][] prefixes, ReadOnlySpan<byte> signature)
    {
        Span<byte> expected = stackalloc byte[SignatureBytes];
        foreach (byte[] prefix in prefixes)
        {
            _hmac.AppendData(prefix);
            _hmac.AppendData(_lastDateSuffix);
            _hmac.GetHashAndReset(expected);
            if (CryptographicOperations.FixedTimeEquals(expected, signature))
                return true;
        }

        return false;
    }

    private bool TryRememberDate(string date)
    {
        if (date == _lastDate)
            return true;
        if (!DateTime.TryParseExact(date, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime utc))
            return false;
        _lastDate = date;
        _lastDateUtc = utc;
#pragma warning disable CA1308 // The protocol signs lower case.
        _lastDateSuffix = Encoding.ASCII.GetBytes(date.ToLowerInvariant() + "\n\n");
#pragma warning restore CA1308
        return true;
    }

    /// <summary>Reads <c>type=master&amp;ver=1.0&amp;sig=...</c>, which comes percent-encoded, in part twice.</summary>
    private static bool TryReadSignature(string authorization, Span<byte> signature)
    {
        const int longest = 512;
        if (authorization.Length > longest)
            return false;
        Span<byte> token = stackalloc byte[longest];
        if (!TryUnescape(authorization, token, out int length))
            return false;
        token = token[..length];
        int at = token.IndexOf("sig="u8);
        if (at < 0 || !token.StartsWith("type=master&ver=1.0&"u8))
            return false;
        return Base64.DecodeFromUtf8(token[(at + 4)..], signature, out int consumed, out int written) == System.Buffers.OperationStatus.Done
            && written == SignatureBytes && consumed == length - at - 4;
    }

    private static bool TryUnescape(string text, Span<byte> destination, out int length)
    {
        length = 0;
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (c > 0x7E)
                return false;
            if (c == '%')
            {
                if (i + 2 >= text.Length || !byte.TryParse(text.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte value))
                    return false;
                c = (char)value;
                i += 2;
            }

            destination[length++] = (byte)c;
        }

        return true;
    }
}
