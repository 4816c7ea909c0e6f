using System.Security.Authentication;
using Azure;
using Azure.Identity;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class AccountErrorsTests
{
    private const string Key = "VmVyeVNlY3JldEtleQ==";

    private static readonly AccountConnection Account = new() { Endpoint = new Uri("https://books.example/"), Key = Key };

    [Theory]
    [InlineData(408, 0, true)]
    [InlineData(410, 1002, true)]
    [InlineData(429, 3200, true)]
    [InlineData(449, 0, true)]
    [InlineData(500, 0, true)]
    [InlineData(503, 20001, true)]
    [InlineData(404, 1002, true)]
    [InlineData(404, 1013, true)]
    [InlineData(403, 3, true)]
    [InlineData(403, 1008, true)]
    [InlineData(400, 0, false)]
    [InlineData(401, 0, false)]
    [InlineData(403, 0, false)]
    [InlineData(404, 0, false)]
    [InlineData(404, 1003, false)]
    [InlineData(409, 0, false)]
    [InlineData(413, 0, false)]
    public void IsTransient_StatusAndSubStatus_FollowsTheService(int status, int subStatus, bool expected)
    {
        Assert.Equal(expected, AccountErrors.IsTransient((HttpStatusCode)status, subStatus));
        Assert.Equal(
            expected ? AccountErrorKind.Transient : AccountErrorKind.Rejected,
            AccountErrors.Describe(new CosmosException("text", (HttpStatusCode)status, subStatus, "activity", 0), Account).Kind);
    }

    [Fact]
    public void Describe_WrongKey_NamesTheEndpointAndNotWhatWasSigned()
    {
        var error = AccountErrors.Describe(
            HttpStatusCode.Unauthorized, 0, $"The MAC signature is not the same. Server used: get\n\n{Key}", Account);

        Assert.Contains("https://books.example/", error.Message, StringComparison.Ordinal);
        Assert.Contains("key", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("MAC", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Key, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("the key VmVyeVNlY3JldEtleQ== is bad")]
    [InlineData("{\"code\":\"Forbidden\",\"message\":\"Authorization: Bearer eyJhbGciOi.secret.Key blocked\"}")]
    [InlineData("type=master&ver=1.0&sig=secretKey/abc= blocked")]
    [InlineData("AccountEndpoint=https://books.example/;AccountKey=secretKey==;")]
    public void Describe_SecretInTheServicesText_IsMasked(string text)
    {
        var error = AccountErrors.Describe(HttpStatusCode.Forbidden, 0, text, Account);
        Assert.Contains("***", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain(Key, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Describe_ServicesJson_TakesTheInnermostMessageOnOneLine()
    {
        const string Body = """
            {"code":"BadRequest",
             "message":"Message: {\"Errors\":[\"The throughput of 100 is too low.\"]}\r\nActivityId: 0f0f, Request URI: /x, SDK: y"}
            """;

        var error = AccountErrors.Describe(HttpStatusCode.BadRequest, 0, Body, Account);
        var cut = AccountErrors.Describe(HttpStatusCode.BadRequest, 0, new string('x', 5_000), Account);

        Assert.Equal("The account https://books.example/ rejects this (400): The throughput of 100 is too low.", error.Message);
        Assert.InRange(cut.Message.Length, 300, 400);
    }

    [Fact]
    public void Describe_ConnectionRefused_IsTransient()
    {
        var socketError = new SocketException((int)SocketError.ConnectionRefused);
        var error = AccountErrors.Describe(new HttpRequestException(HttpRequestError.ConnectionError, "no", socketError), Account);
        Assert.Equal(AccountErrorKind.Transient, error.Kind);
        Assert.Contains("nothing listens", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Describe_UntrustedCertificateInsideAnyException_IsRejected()
    {
        var error = new HttpRequestException("ssl", new AuthenticationException("The remote certificate is invalid"));
        Assert.Equal(AccountErrorKind.Rejected, AccountErrors.Describe(error, Account).Kind);
        Assert.Equal(AccountErrorKind.Rejected, AccountErrors.Describe(new InvalidOperationException("x", error), Account).Kind);
    }

    [Fact]
    public void Describe_NoIdentity_SaysHowToProvideOne()
    {
        var none = new CredentialUnavailableException("long story");

        foreach (var error in new Exception[] { none, new InvalidOperationException("Failed to get a token", none) })
        {
            var described = AccountErrors.Describe(error, Account with { Key = null });
            Assert.Equal(AccountErrorKind.Rejected, described.Kind);
            Assert.Contains("COSMOS_KEY", described.Message, StringComparison.Ordinal);
        }

        var down = new AuthenticationFailedException("x", new RequestFailedException(503, "busy"));
        Assert.Equal(AccountErrorKind.Transient, AccountErrors.Describe(down, Account).Kind);
    }

    [Theory]
    [InlineData(429, AccountErrorKind.Transient)]
    [InlineData(503, AccountErrorKind.Transient)]
    [InlineData(403, AccountErrorKind.Rejected)]
    [InlineData(400, AccountErrorKind.Rejected)]
    public void Describe_ResourceManager_KeepsCodeAndText(int status, AccountErrorKind kind)
    {
        var error = AccountErrors.Describe(
            new RequestFailedException(status, "No right to write.", "AuthorizationFailed", innerException: null), Account);
        Assert.Equal(kind, error.Kind);
        Assert.Contains($"{status} AuthorizationFailed: No right to write.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void IsAccountError_ProgrammingError_IsFalse()
    {
        Assert.False(AccountErrors.IsAccountError(new InvalidOperationException("a bug")));
        Assert.False(AccountErrors.IsAccountError(new IOException("disk full")));
    }
}
