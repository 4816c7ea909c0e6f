using System.Net.Security;

namespace ScaleOut.Tests.Simulator.Gateway;

public sealed class HealthAndCertificateTests : SdkTests, IAsyncLifetime
{
    private readonly HttpClient _http = new();
    private SimulatedAccount _account = null!;

    [Theory]
    [InlineData("health", HttpStatusCode.OK, "application/json")]
    [InlineData("health?now", HttpStatusCode.OK, "application/json")]
    [InlineData("_explorer/account.pem", HttpStatusCode.OK, "application/x-pem-file")]
    [InlineData("_explorer/", HttpStatusCode.Unauthorized, "application/json")]
    [InlineData("healthy", HttpStatusCode.Unauthorized, "application/json")]
    public async Task Get_WithoutAKey_ServesPagesOnly(string path, HttpStatusCode expected, string type)
    {
        using var response = await _http.GetAsync(Page(path), Token);
        Assert.Equal(expected, response.StatusCode);
        Assert.Equal(type, response.Content.Headers.ContentType?.ToString());
    }

    [Fact]
    public async Task Get_TheCertificate_IsThatOfTheAccount() => Assert.Equal(
        _account.Certificate.ExportCertificatePem(), await _http.GetStringAsync(Page("_explorer/account.pem"), Token));

    [Fact]
    public async Task Post_ToAPage_IsNotAllowed()
    {
        using var response = await _http.PostAsync(Page("health"), null, Token);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
        Assert.Equal(["GET", "HEAD"], response.Content.Headers.Allow);
    }

    public async ValueTask InitializeAsync() => _account = await SimulatedAccount.StartAsync(new AccountSettings());

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _account.DisposeAsync();
    }

    private Uri Page(string path) => new(_account.HttpEndpoint, path);
}
