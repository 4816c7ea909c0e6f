using System.Net;
using System.Net.Sockets;
using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class AnswerReadingTests
{
    [Theory]
    [InlineData(201, 0, AttemptKind.Put)]
    [InlineData(200, 0, AttemptKind.AlreadyThere)]
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
    [InlineData(401, 0, AttemptKind.Refused)]
    [InlineData(403, 0, AttemptKind.Refused)]
    [InlineData(404, 1003, AttemptKind.Refused)]
    public void KindOf_Status_SaysWhatToDo(int status, int subStatus, AttemptKind kind) => Assert.Equal(kind, AnswerReading.KindOf(status, subStatus));

    [Fact]
    public void Of_Exceptions_AreAnswersWhenTheAccountOrTheNetworkCausedThem()
    {
        Assert.Equal(AttemptKind.Throttled, AnswerReading.Of(new CosmosException("", HttpStatusCode.TooManyRequests, 3200, "", 0))!.Value.Kind);
        Assert.Equal(AttemptKind.RetryUncertain, AnswerReading.Of(new HttpRequestException("refused", new SocketException()))!.Value.Kind);
        Assert.Equal(AttemptKind.RetryUncertain, AnswerReading.Of(new TaskCanceledException())!.Value.Kind);
        Assert.Null(AnswerReading.Of(new InvalidCastException()));
    }

    [Fact]
    public void FromAccount_SubStatusOfTheClient_IsFalse()
    {
        Assert.False(new AttemptAnswer(AttemptKind.RetryUncertain, 503, 20006, 0, default, null).FromAccount);
        Assert.False(new AttemptAnswer(AttemptKind.RetryUncertain, 0, 0, 0, default, null).FromAccount);
        Assert.True(new AttemptAnswer(AttemptKind.Throttled, 429, 3200, 0, default, null).FromAccount);
    }
}
