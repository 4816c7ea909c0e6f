using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Accepts one certificate and no other, trusted or not. Meant for an emulator or the simulated account, whose certificate is self-signed;
/// an account in Azure is never to be reached with less than ordinary trust.
/// </summary>
public sealed class CertificatePin
{
    private readonly byte[] _thumbprint;

    private CertificatePin(byte[] thumbprint) => _thumbprint = thumbprint;

    /// <summary>The account's pin; null when ordinary trust decides.</summary>
    /// <exception cref="AccountException">The thumbprint is malformed, or the endpoint is one of Azure's own.</exception>
    public static CertificatePin? From(AccountConnection account)
    {
        ArgumentNullException.ThrowIfNull(account);
        if (account.CertificateThumbprint is not { } text)
            return null;
        if (AzureEndpoints.Contains(account.Endpoint))
            throw new AccountException(
                $"A certificate thumbprint is not accepted for {account.Endpoint.Host}: accounts in Azure have trusted certificates.");

        var digits = text.Replace(":", "", StringComparison.Ordinal);
        if (digits.Length != 2 * SHA256.HashSizeInBytes || !digits.All(char.IsAsciiHexDigit))
            throw new AccountException(
                "The account's certificate thumbprint must be a SHA-256: 64 hexadecimal digits, with or without colons.");
        return new CertificatePin(Convert.FromHexString(digits));
    }

    /// <summary>Whether the certificate is the pinned one.</summary>
    public bool Accepts(X509Certificate? certificate) =>
        certificate is not null && CryptographicOperations.FixedTimeEquals(SHA256.HashData(certificate.GetRawCertData()), _thumbprint);
}
