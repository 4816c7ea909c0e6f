namespace ScaleOut.Tests.Workers.Accounts;

public sealed class CertificatePinTests
{
    private static AccountConnection With(string? thumbprint, string endpoint = "https://localhost:8081/") =>
        new() { Endpoint = new Uri(endpoint), Key = "a2V5", CertificateThumbprint = thumbprint };

    [Fact]
    public void From_NoThumbprint_LeavesOrdinaryTrust() => Assert.Null(CertificatePin.From(With(null)));

    [Fact]
    public void Accepts_PinInAnySpelling_OnlyThePinnedCertificate()
    {
        using var pinned = SelfSigned.Create();
        using var other = SelfSigned.Create();
        var hex = SelfSigned.Thumbprint(pinned);

        var colons = string.Join(':', hex.Chunk(2).Select(pair => new string(pair)));

        foreach (var spelling in new[] { hex.ToUpperInvariant(), hex.ToLowerInvariant(), colons })
        {
            var pin = CertificatePin.From(With(spelling))!;
            Assert.Equal((true, false, false), (pin.Accepts(pinned), pin.Accepts(other), pin.Accepts(null)));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("abc")]
    [InlineData("zz00000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("da39a3ee5e6b4b0d3255bfef95601890afd80709")]
    public void From_Malformed_Throws(string thumbprint)
    {
        var error = Assert.Throws<AccountException>(() => CertificatePin.From(With(thumbprint)));
        Assert.Contains("SHA-256", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("https://a.documents.azure.com/")]
    [InlineData("https://a-westeurope.documents.azure.com:443/")]
    [InlineData("https://A.DOCUMENTS.AZURE.COM./")]
    [InlineData("https://a.documents.azure.cn/")]
    [InlineData("https://a.documents.azure.us/")]
    [InlineData("https://a.documents.microsoftazure.de/")]
    [InlineData("https://a.sqlx.cosmos.azure.com/")]
    public void From_AccountInAzure_Throws(string endpoint) =>
        Assert.Throws<AccountException>(() => CertificatePin.From(With(new string('0', 64), endpoint)));

    [Theory]
    [InlineData("https://localhost:8081/")]
    [InlineData("https://documents.azure.com.example.org/")]
    [InlineData("https://mydocuments.azure.com.local/")]
    public void From_OutsideAzure_Pins(string endpoint) => Assert.NotNull(CertificatePin.From(With(new string('0', 64), endpoint)));
}
