namespace ScaleOut.Tests.Shared.Progress;

public sealed class ProgressMessageTests
{
    private static readonly WorkerProgress Whole = ProgressMessages.From(3, 2, 1, 7) with
    {
        Before = new(new() { Inserted = 5 }, 1.5),
        End = LegEnd.TimeUp,
        Counts = new() { AlreadyPresent = 1, Failed = 2, Throttled = 3, RequestUnits = RequestUnits.From(4.5) },
        InFlight = 6,
        Seconds = 7.5,
        LastError = "503/20006 \"quoted\"",
    };

    [Fact]
    public void Read_WhatWriteWrote_IsTheSame() => Assert.Equal(Whole, ProgressMessage.Read(ProgressMessage.Write(Whole)));

    [Fact]
    public void Write_LongestMessage_FitsTwoKilobytes() => Assert.InRange(
        ProgressMessage.Write(Whole with
        {
            RunId = new string('r', 40),
            LastError = LegOutput.Shorten(new string('x', 1_000)),
            Sequence = long.MaxValue,
        }).Length,
        500,
        2_048);

    [Theory]
    [InlineData("")]
    [InlineData("text")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"runId\":\"run\"}")]
    public void Read_AnythingElse_IsNull(string text) => Assert.Null(ProgressMessage.Read(text));

    [Theory]
    [InlineData("\"runId\":\"run\"", "\"runId\":\"../x\"")]
    [InlineData("\"runId\":\"run\"", "\"runId\":\"\"")]
    [InlineData("\"runId\":\"run\"", "\"runId\":null")]
    [InlineData("\"worker\":3", "\"worker\":4")]
    [InlineData("\"worker\":3", "\"worker\":-1")]
    [InlineData("\"worker\":3", "\"worker\":\"3\"")]
    [InlineData("\"workers\":4", "\"workers\":100000")]
    [InlineData("\"leg\":2", "\"leg\":0")]
    [InlineData("\"attempt\":1", "\"attempt\":0")]
    [InlineData("\"activity\":\"running\"", "\"activity\":\"sleeping\"")]
    [InlineData("\"activity\":\"running\"", "\"activity\":\"done\"")]
    [InlineData("\"activity\":\"running\"", "\"activity\":\"starting\"")]
    public void Read_WhatNoWorkerCanHaveSent_IsNull(string sound, string invalid)
    {
        var text = ProgressMessage.Write(Whole);
        Assert.Contains(sound, text, StringComparison.Ordinal);
        Assert.Null(ProgressMessage.Read(text.Replace(sound, invalid, StringComparison.Ordinal)));
    }

    /// <summary>The id of the orchestration becomes a part of an item's name.</summary>
    [Theory]
    [InlineData("run", true)]
    [InlineData("run:again-2", true)]
    [InlineData("run:resumed-3", true)]
    [InlineData("other", false)]
    [InlineData("run:../../other/legs", false)]
    [InlineData("run:again-2/x", false)]
    [InlineData("", false)]
    public void Read_OrchestrationOfAnotherForm_IsNull(string instanceId, bool isRead) =>
        Assert.Equal(isRead, ProgressMessage.Read(ProgressMessage.Write(Whole with { RunInstanceId = instanceId })) is not null);

    [Theory]
    [InlineData(1, 5)]
    [InlineData(20, 5)]
    [InlineData(21, 10)]
    [InlineData(200, 10)]
    [InlineData(1_000, 50)]
    public void Interval_MoreWorkers_IsLongerAndKeepsAllTogetherAtTwentyMessagesASecond(int workers, double seconds) =>
        Assert.Equal(seconds, ProgressInterval.For(workers).TotalSeconds, precision: 6);
}
