namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// A file (PKCS #12 without a password) that keeps an account's certificate, so that clients trust the account after a restart.
/// </summary>
internal static class CertificateFile
{
    /// <summary>A kept certificate is used for as long as it is valid for this time.</summary>
    private static readonly TimeSpan MinValidity = TimeSpan.FromDays(1);

    /// <summary>Returns the file's certificate if it is valid for another day, else a new one, and keeps it in the file.</summary>
    /// <exception cref="AccountDataException">The file is damaged, or cannot be read or written.</exception>
    public static X509Certificate2 Keep(string path, DateTimeOffset now)
    {
        (var certificate, var whyNotKept) = KeepIfPossible(path, now);
        return whyNotKept is null ? certificate : throw new AccountDataException([whyNotKept]);
    }

    /// <summary>
    /// Does the same as <see cref="Keep"/>, but returns a reason instead of throwing if a new certificate cannot be written, for example
    /// beside a key on a read-only volume.
    /// </summary>
    /// <returns>The certificate, and why it is not kept; null if it is.</returns>
    /// <exception cref="AccountDataException">The file is damaged, or cannot be read.</exception>
    public static (X509Certificate2 Certificate, string? WhyNotKept) KeepIfPossible(string path, DateTimeOffset now)
    {
        if (Read(path, now) is { } kept)
            return (kept, null);
        var created = SelfSignedCertificate.Create(now);
        try
        {
            DurableFile.Write(path, created.Export(X509ContentType.Pkcs12), DurableFile.OwnerOnly);
            return (created, null);
        }
        catch (Exception e) when (e is UnauthorizedAccessException or IOException)
        {
            return (created, $"{path}: {e.Message}");
        }
    }

    /// <summary>Null if there is no file, or if its certificate ends within a day.</summary>
    private static X509Certificate2? Read(string path, DateTimeOffset now)
    {
        if (!File.Exists(path))
            return null;
        try
        {
            var kept = X509CertificateLoader.LoadPkcs12FromFile(path, null, X509KeyStorageFlags.Exportable);
            if (kept.HasPrivateKey && kept.NotAfter.ToUniversalTime() > now.UtcDateTime + MinValidity)
                return kept;
            kept.Dispose();
            return null;
        }
        catch (Exception e) when (e is UnauthorizedAccessException or IOException or CryptographicException)
        {
            throw new AccountDataException([$"{path}: {e.Message} Delete the file to get another certificate."]);
        }
    }
}
