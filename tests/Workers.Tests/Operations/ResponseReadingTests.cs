using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class ResponseReadingTests
{
    [Fact]
    public void Abandon_Buffer_KeepsTheDocumentsInANewOne()
    {
        using var buffer = new AttemptBuffer(4);
        var before = buffer.Bytes;
        "abcd"u8.CopyTo(before);

        buffer.Abandon(used: 3);

        Assert.NotSame(before, buffer.Bytes);
        Assert.Equal("abc"u8, buffer.Bytes.AsSpan(0, 3));
        Assert.Equal("abcd"u8, before.AsSpan(0, 4));
        buffer.Dispose();
        Assert.Empty(buffer.Bytes);
    }

    [Theory]
    [InlineData(201, 0, AttemptKind.Succeeded)]
    [InlineData(200, 0, AttemptKind.Failed)]
    [InlineData(204, 0, AttemptKind.Failed)]
    [InlineData(409, 0, AttemptKind.AlreadyThere)]
    [InlineData(429, 3200, AttemptKind.Throttled)]
    [InlineData(449, 0, AttemptKind.Retry)]
    [InlineData(408, 0, AttemptKind.RetryUncertain)]
    [InlineData(410, 1002, AttemptKind.RetryUncertain)]
    [InlineData(500, 0, AttemptKind.RetryUncertain)]
    [InlineData(503, 20006, AttemptKind.RetryUncertain)]
    [InlineData(0, 0, AttemptKind.RetryUncertain)]
    [InlineData(400, 0, AttemptKind.Failed)]
    [InlineData(413, 0, AttemptKind.Failed)]
    [InlineData(403, 1014, AttemptKind.Failed)]
    [InlineData(401, 0, AttemptKind.Rejected)]
    [InlineData(403, 0, AttemptKind.Rejected)]
    [InlineData(403, 3, AttemptKind.Retry)]
    [InlineData(403, 1008, AttemptKind.Retry)]
    [InlineData(404, 1003, AttemptKind.Rejected)]
    public void KindOf_Status_SaysWhatToDo(int status, int subStatus, AttemptKind kind) =>
        Assert.Equal(kind, ResponseReading.KindOf(status, subStatus));

    [Theory]
    [InlineData(201, 0, AttemptKind.Succeeded)]
    [InlineData(200, 0, AttemptKind.AlreadyThere)]
    [InlineData(409, 0, AttemptKind.AlreadyThere)]
    [InlineData(204, 0, AttemptKind.Failed)]
    public void KindOfUpsert_Status_SaysWhatToDo(int status, int subStatus, AttemptKind kind) =>
        Assert.Equal(kind, ResponseReading.KindOfUpsert(status, subStatus));

    [Theory]
    [InlineData(200, 0, AttemptKind.Succeeded)]
    [InlineData(201, 0, AttemptKind.Failed)]
    [InlineData(412, 0, AttemptKind.Retry)]
    [InlineData(409, 0, AttemptKind.Failed)]
    [InlineData(404, 0, AttemptKind.Failed)]
    [InlineData(404, 1002, AttemptKind.Retry)]
    [InlineData(404, 1003, AttemptKind.Rejected)]
    [InlineData(429, 3200, AttemptKind.Throttled)]
    [InlineData(503, 0, AttemptKind.RetryUncertain)]
    public void KindOfReplace_Status_SaysWhatToDo(int status, int subStatus, AttemptKind kind) =>
        Assert.Equal(kind, ResponseReading.KindOfReplace(status, subStatus));

    [Theory]
    [InlineData(204, 0, AttemptKind.Succeeded)]
    [InlineData(201, 0, AttemptKind.Failed)]
    [InlineData(404, 0, AttemptKind.AlreadyThere)]
    [InlineData(404, 1002, AttemptKind.Retry)]
    [InlineData(404, 1003, AttemptKind.Rejected)]
    [InlineData(409, 0, AttemptKind.Failed)]
    [InlineData(429, 3200, AttemptKind.Throttled)]
    public void KindOfDelete_Status_SaysWhatToDo(int status, int subStatus, AttemptKind kind) =>
        Assert.Equal(kind, ResponseReading.KindOfDelete(status, subStatus));

    [Theory]
    [InlineData(200, 0, AttemptKind.Continued)]
    [InlineData(201, 0, AttemptKind.Failed)]
    [InlineData(409, 0, AttemptKind.Failed)]
    [InlineData(400, 0, AttemptKind.Rejected)]
    [InlineData(404, 0, AttemptKind.Rejected)]
    [InlineData(404, 1002, AttemptKind.Retry)]
    [InlineData(410, 1002, AttemptKind.RetryUncertain)]
    [InlineData(429, 3200, AttemptKind.Throttled)]
    public void KindOfPage_Status_SaysWhatToDo(int status, int subStatus, AttemptKind kind) =>
        Assert.Equal(kind, ResponseReading.KindOfPage(status, subStatus));

    [Theory]
    [InlineData("7.5", 7.5)]
    [InlineData("1500", 1_500)]
    [InlineData("-1", 0)]
    [InlineData("3600000", 0)]
    [InlineData("soon", 0)]
    [InlineData(null, 0)]
    public void From_ThrottledResponse_HasItsRetryAfterInMilliseconds(string? header, double milliseconds)
    {
        using var response = new ResponseMessage(HttpStatusCode.TooManyRequests);
        if (header is not null)
            response.Headers["x-ms-retry-after-ms"] = header;
        response.Headers["x-ms-substatus"] = "3200";
        response.Headers["x-ms-request-charge"] = "0.38";

        Assert.Equal(
            new AttemptResponse(AttemptKind.Throttled, 429, 3200, RequestUnits.From(0.38), TimeSpan.FromMilliseconds(milliseconds), null),
            ResponseReading.From(response, ResponseReading.KindOf));
    }

    [Theory]
    [InlineData(2.5, 2.5)]
    [InlineData(0, 0)]
    [InlineData(-1, 0)]
    [InlineData(double.NaN, 0)]
    [InlineData(double.PositiveInfinity, 0)]
    public void ChargeOf_Header_IsZeroIfItIsNoNumberOfRequestUnits(double header, double charge) =>
        Assert.Equal(RequestUnits.From(charge), ResponseReading.ChargeOf(header));

    [Fact]
    public void From_CreateAnsweredWithOk_FailsAndSaysWhy()
    {
        using var response = new ResponseMessage(HttpStatusCode.OK);
        var read = ResponseReading.From(response, ResponseReading.KindOf);
        Assert.Equal((AttemptKind.Failed, "this status is no response to the operation"), (read.Kind, read.Reason));
    }

    /// <summary>The reason is the service's text, and not the frame that the SDK puts around it.</summary>
    [Fact]
    public void From_Exception_HasTheInnermostText()
    {
        var body = "\nErrors : [\n  \"the document is too large\"\n]\n";
        Assert.Equal("the document is too large", ReasonOf(new CosmosException(body, HttpStatusCode.RequestEntityTooLarge, 0, "", 0)));
        Assert.Equal("reset", ReasonOf(new HttpRequestException("no", new AggregateException(new IOException("reset")))));

        static string? ReasonOf(Exception exception) => ResponseReading.From(exception)?.Reason;
    }

    [Fact]
    public void From_Exception_IsAResponseIfTheAccountOrTheNetworkCausedIt()
    {
        static AttemptKind? KindOf(Exception exception) => ResponseReading.From(exception)?.Kind;

        Assert.Equal(AttemptKind.Throttled, KindOf(new CosmosException("", HttpStatusCode.TooManyRequests, 3200, "", 0)));
        Assert.Equal(AttemptKind.RetryUncertain, KindOf(new HttpRequestException("connection refused", new SocketException())));
        Assert.Equal(AttemptKind.RetryUncertain, KindOf(new TaskCanceledException()));
        Assert.Null(KindOf(new InvalidCastException()));
    }

    [Fact]
    public void FromAccount_SubStatusOfTheClient_IsFalse()
    {
        Assert.False(new AttemptResponse(AttemptKind.RetryUncertain, 503, 20006, default, default, null).FromAccount);
        Assert.False(new AttemptResponse(AttemptKind.RetryUncertain, 0, 0, default, default, null).FromAccount);
        Assert.False(new AttemptResponse(AttemptKind.RetryUncertain, 408, 20_000, default, default, null).FromAccount);
        Assert.True(new AttemptResponse(AttemptKind.RetryUncertain, 408, 19_999, default, default, null).FromAccount);
        Assert.True(new AttemptResponse(AttemptKind.Throttled, 429, 3200, default, default, null).FromAccount);
    }

    [Theory]
    [InlineData(400, 0, "400")]
    [InlineData(429, 3200, "429/3200")]
    public void Code_Response_HasTheSubStatusIfThereIsOne(int status, int subStatus, string code) =>
        Assert.Equal(code, new AttemptResponse(AttemptKind.Failed, status, subStatus, default, default, null).Code);
}
