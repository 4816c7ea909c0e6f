namespace ScaleOut.Simulator.Accounts;

/// <summary>The account's own certificate, made at its start. <see cref="CertificateFile"/> keeps it.</summary>
internal static class SelfSignedCertificate
{
    private static readonly TimeSpan Validity = TimeSpan.FromDays(30);

    /// <summary>Makes a certificate for localhost, 127.0.0.1 and ::1. It is a CA, so that clients with its PEM trust it.</summary>
    public static X509Certificate2 Create(DateTimeOffset now)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=Simulated Cosmos DB account", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        request.CertificateExtensions.Add(
            new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyCertSign, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], critical: false));
        // An hour back, for clients whose clock is a little behind.
        var made = request.CreateSelfSigned(now.AddHours(-1), now.Add(Validity));
        if (!OperatingSystem.IsWindows())
            return made;
        // A server on Windows takes no key that is in memory only. The key's file is deleted with the certificate.
        using (made)
            return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null, X509KeyStorageFlags.Exportable);
    }
}
