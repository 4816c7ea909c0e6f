using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class ServiceTextTests
{
    private const string Frame = "Response status code does not indicate success: BadRequest (";

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
    [InlineData("it exists., \r\nRequestStartTime: 2026-10-10T09:03:07Z\r\nActivityId: 1", "it exists.")]
    [InlineData("code : BadRequest\nmessage : too (very) low\n", "too (very) low")]
    [InlineData("\nErrors : [\n  \"first\",\n  \"second\"\n]\n", "first second")]
    [InlineData(Frame + "400); Reason: (\nErrors : [\n  \"too (very) low\"\n]\n);", "too (very) low")]
    [InlineData(Frame + "400); Reason: (\r\ncode : BadRequest\r\nmessage : too (very) low\r\n);", "too (very) low")]
    [InlineData(Frame + "413); Reason: (Message: {\"Errors\":[\"too large\"]}\r\nActivityId: 1, Request URI: /x);", "too large")]
    [InlineData(Frame + "503); Reason: (busy\nActivityId: 1, SDK: y);; Diagnostics:{\"Summary\":{}}", "busy")]
    public void Clean_Text_IsTheMessageOnOneLine(string? text, string expected) =>
        Assert.Equal(expected, ServiceText.Clean(text, new AccountConnection { Endpoint = new Uri("https://books.example/") }));
}
