using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class ServiceTextTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Clean_KeyAnywhere_IsNeverShown(bool asJson) => Properties.Holds(
        Prop.ForAll<byte[], string?, string?>((bytes, before, after) =>
    {
        var key = Convert.ToBase64String([.. bytes, 1, 2, 3, 4, 5, 6, 7, 8]);
        var text = $"{before}{key}{after}";
        var account = new AccountConnection { Endpoint = new Uri("https://books.example/"), Key = key };

        var cleaned = ServiceText.Clean(asJson ? JsonSerializer.Serialize(new { message = text }) : text, account);

        return cleaned.Length <= 300
            && !cleaned.Contains(key, StringComparison.Ordinal)
            && !cleaned.Contains('\n', StringComparison.Ordinal);
    }));

    [Theory]
    [InlineData(null, "")]
    [InlineData("  ", "")]
    [InlineData("plain\r\n text", "plain text")]
    [InlineData("{\"message\":\"inner\"}", "inner")]
    [InlineData("{\"Errors\":[\"first\",\"second\"]}", "first second")]
    [InlineData("too low\r\nActivityId: 1, Request URI: /x", "too low")]
    public void Clean_Text_IsTheMessageOnOneLine(string? text, string expected) =>
        Assert.Equal(expected, ServiceText.Clean(text, new AccountConnection { Endpoint = new Uri("https://books.example/") }));
}
