namespace ScaleOut.Tests.Shared.Experiments;

public sealed class ExperimentFilesTests : IDisposable
{
    private static readonly ExperimentSpec Spec = ExperimentSample.From(2, 2);

    private readonly TemporaryFolder _folder = new();
    private readonly FolderRunStore _store;
    private readonly ExperimentFiles _files;

    public ExperimentFilesTests()
    {
        _store = new FolderRunStore(_folder.Path);
        _files = new ExperimentFiles(_store, "sample");
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryClaim_Twice_HasOneWinnerWhoseSpecReadsBack()
    {
        Assert.True(await _files.TryClaimAsync(Spec, Cancellation));
        Assert.False(await _files.TryClaimAsync(Spec with { Repeats = 7 }, Cancellation));

        var reading = ExperimentSpecReader.Read(System.Text.Encoding.UTF8.GetString((await _files.ReadSpecAsync(Cancellation))!));
        Assert.Equal(2, reading.Value!.Repeats);
    }

    [Fact]
    public async Task TryClaim_IdOfARun_IsRejectedAndTheOtherWayRound()
    {
        Assert.True(await new RunFiles(_store, "sample").TryClaimAsync(new RunSpec { Id = "sample" }, Cancellation));
        Assert.False(await _files.TryClaimAsync(Spec, Cancellation));

        Assert.True(await new ExperimentFiles(_store, "other").TryClaimAsync(Spec with { Id = "other" }, Cancellation));
        Assert.False(await new RunFiles(_store, "other").TryClaimAsync(new RunSpec { Id = "other" }, Cancellation));
    }

    [Fact]
    public async Task ReadStatus_WrittenTwice_IsTheLast()
    {
        Assert.Null(await _files.ReadStatusAsync(Cancellation));
        var status = new ExperimentStatus
        {
            Phase = ExperimentPhase.Running, Runs = 4, Ended = 1, NotComplete = 0, RunId = "sample-v02-r01", Variant = "variant B",
            Repeat = 1,
        };
        await _files.WriteStatusAsync(status with { Ended = 0 }, Cancellation);
        await _files.WriteStatusAsync(status, Cancellation);

        Assert.Equal(status, await _files.ReadStatusAsync(Cancellation));
    }

    [Fact]
    public async Task RequestStop_Flag_Stays()
    {
        Assert.False(await _files.IsStopRequestedAsync(Cancellation));
        await _files.RequestStopAsync(Cancellation);
        Assert.True(await _files.IsStopRequestedAsync(Cancellation));
    }

    [Fact]
    public async Task WithdrawStop_Requested_IsAsIfItHadNotBeen()
    {
        await _files.TryClaimAsync(Spec, Cancellation);
        await _files.WithdrawStopAsync(Cancellation);
        await _files.RequestStopAsync(Cancellation);
        await _files.WithdrawStopAsync(Cancellation);

        Assert.False(await _files.IsStopRequestedAsync(Cancellation));
        Assert.NotNull(await _files.ReadSpecAsync(Cancellation));
    }

    [Fact]
    public async Task TryClaimAttempt_ManyAtOnce_HasOneWinnerAndTheLastIsRead()
    {
        Assert.Null(await _files.ReadAttemptAsync(Cancellation));
        foreach (var number in Enumerable.Range(1, 11))
        {
            var won = await Task.WhenAll(
                Enumerable.Range(0, 5)
                    .Select(_ => _files.TryClaimAttemptAsync(new JobAttempt(number, DateTimeOffset.UnixEpoch), Cancellation)));

            Assert.Single(won, one => one);
            Assert.Equal(new JobAttempt(number, DateTimeOffset.UnixEpoch), await _files.ReadAttemptAsync(Cancellation));
        }
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(119, true)]
    [InlineData(120, false)]
    public void MayBegin_AttemptWithoutOrchestration_ForTwoMinutes(int seconds, bool mayBegin) =>
        Assert.Equal(mayBegin, new JobAttempt(2, DateTimeOffset.UnixEpoch).MayBegin(DateTimeOffset.UnixEpoch.AddSeconds(seconds)));
}
