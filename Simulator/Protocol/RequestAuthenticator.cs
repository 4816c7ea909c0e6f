using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using ScaleOut.Simulator.Engine.Physics;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Checks the HMAC-SHA256 that a request is signed with. One per connection: it keeps the hash and the last date.</summary>
internal sealed class RequestAuthenticator(byte[] key, AccountClock clock) : IDisposable
{
    private const int SignatureBytes = 32;
    private const int LongestAuthorization = 512;
    private const int LongestDate = 64;
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(15);

    private readonly IncrementalHash _hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
    private byte[] _lastDate = [];
    private byte[] _lastDateSuffix = [];
    private DateTime _lastDateUtc;

    /// <summary>0 for a request that is genuine, else the status: 401, or 403 for a date that is too far off.</summary>
    /// <param name="prefixes">What the signed text may begin with, up to the date.</param>
    /// <param name="authorization">The authorization header.</param>
    /// <param name="date">The x-ms-date header.</param>
    /// <param name="fault">What is wrong.</param>
    public int Check(byte[][] prefixes, string? authorization, string? date, out string? fault)
    {
        Span<byte> authorizationBytes = stackalloc byte[LongestAuthorization];
        Span<byte> dateBytes = stackalloc byte[LongestDate];
        if (!Encoding.UTF8.TryGetBytes(authorization, authorizationBytes, out int authorizationLength))
            authorizationLength = authorizationBytes.Length;
        if (!Encoding.UTF8.TryGetBytes(date, dateBytes, out int dateLength))
            dateLength = dateBytes.Length;
        Span<byte> signature = stackalloc byte[SignatureBytes];
        int status = Read(authorizationBytes[..authorizationLength], dateBytes[..dateLength], signature, out fault);
        if (status != 0)
            return status;
        foreach (byte[] prefix in prefixes)
        {
            if (IsSigned(prefix, signature))
                return CheckDate(out fault);
        }

        return Forged(out fault);
    }

    /// <summary>As the other, for text that came as UTF-8 with only one way to begin.</summary>
    public int Check(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> authorization, ReadOnlySpan<byte> date, out string? fault)
    {
        Span<byte> signature = stackalloc byte[SignatureBytes];
        int status = Read(authorization, date, signature, out fault);
        return status != 0 ? status : IsSigned(prefix, signature) ? CheckDate(out fault) : Forged(out fault);
    }

    public void Dispose() => _hmac.Dispose();

    private static int Forged(out string? fault)
    {
        fault = "The input authorization token can't serve the request. Please check that the expected payload is built as per the protocol, and check the key being used.";
        return 401;
    }

    /// <summary>Reads the signature, of <see cref="SignatureBytes"/>, and remembers the date.</summary>
    private int Read(ReadOnlySpan<byte> authorization, ReadOnlySpan<byte> date, Span<byte> signature, out string? fault)
    {
        fault = authorization.IsEmpty ? "Required Header authorization is missing. Ensure a valid Authorization token is passed."
            : date.IsEmpty ? "Required Header x-ms-date is missing."
            : !TryRememberDate(date) ? "The x-ms-date header is no date in the form of RFC 1123."
            : !TryReadSignature(authorization, signature) ? "The authorization header is no token of type master, version 1.0, with a signature."
            : null;
        return fault is null ? 0 : 401;
    }

    private bool IsSigned(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> signature)
    {
        Span<byte> expected = stackalloc byte[SignatureBytes];
        _hmac.AppendData(prefix);
        _hmac.AppendData(_lastDateSuffix);
        _hmac.GetHashAndReset(expected);
        return CryptographicOperations.FixedTimeEquals(expected, signature);
    }

    private int CheckDate(out string? fault)
    {
        bool isNear = (new DateTime(clock.NowTicks, DateTimeKind.Utc) - _lastDateUtc).Duration() <= Tolerance;
        fault = isNear ? null : "The authorization token is not valid at the current time.";
        return isNear ? 0 : 403;
    }

    private bool TryRememberDate(ReadOnlySpan<byte> date)
    {
        if (date.SequenceEqual(_lastDate))
            return true;
        string text = Encoding.UTF8.GetString(date);
        if (!DateTime.TryParseExact(text, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime utc))
            return false;
        _lastDate = date.ToArray();
        _lastDateUtc = utc;
#pragma warning disable CA1308 // The protocol signs lower case.
        _lastDateSuffix = Encoding.ASCII.GetBytes(text.ToLowerInvariant() + "\n\n");
#pragma warning restore CA1308
        return true;
    }

    /// <summary>Reads <c>type=master&amp;ver=1.0&amp;sig=...</c>, which comes percent-encoded, in part twice.</summary>
    private static bool TryReadSignature(ReadOnlySpan<byte> authorization, Span<byte> signature)
    {
        if (authorization.Length >= LongestAuthorization)
            return false;
        Span<byte> token = stackalloc byte[LongestAuthorization];
        if (!TryUnescape(authorization, token, out int length))
            return false;
        token = token[..length];
        int at = token.IndexOf("sig="u8);
        if (at < 0 || !token.StartsWith("type=master&ver=1.0&"u8))
            return false;
        return Base64.DecodeFromUtf8(token[(at + 4)..], signature, out int consumed, out int written) == OperationStatus.Done
            && written == SignatureBytes && consumed == length - at - 4;
    }

    private static bool TryUnescape(ReadOnlySpan<byte> text, Span<byte> destination, out int length)
    {
        length = 0;
        while (true)
        {
            int escape = text.IndexOf((byte)'%');
            ReadOnlySpan<byte> plain = escape < 0 ? text : text[..escape];
            plain.CopyTo(destination[length..]);
            length += plain.Length;
            if (escape < 0)
                return true;
            if (text.Length < escape + 3 || !Utf8Parser.TryParse(text.Slice(escape + 1, 2), out byte value, out int consumed, 'x') || consumed != 2)
                return false;
            destination[length++] = value;
            text = text[(escape + 3)..];
        }
    }
}
