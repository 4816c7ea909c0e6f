namespace ScaleOut.Tests.Shared.Experiments;

public sealed class ExperimentFilesTests : IDisposable
{
    private static readonly ExperimentSpec Spec = ExperimentSample.From(2, 2);

    private readonly TemporaryFolder _folder = new();

    private FolderRunStore Store => _folder.StoreWith("sample");
    private ExperimentFiles Files => new(Store, "sample");
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryClaim_Twice_HasOneWinnerWhoseSpecReadsBack()
    {
        Assert.True(await Files.TryClaimAsync(Spec, Cancellation));
        Assert.False(await Files.TryClaimAsync(Spec with { Repeats = 7 }, Cancellation));
        var reading = ExperimentSpecReader.Read(Encoding.UTF8.GetString((await Files.ReadSpecAsync(Cancellation))!));
        Assert.Equal(2, reading.Value!.Repeats);
    }

    [Fact]
    public async Task TryClaim_IdOfARunOrAnExperiment_IsRejectedForTheOther()
    {
        Assert.True(await new RunFiles(Store, "sample").TryClaimAsync(new RunSpec { Id = "sample" }, Cancellation));
        Assert.False(await Files.TryClaimAsync(Spec, Cancellation));
        Assert.True(await new ExperimentFiles(Store, "other").TryClaimAsync(Spec with { Id = "other" }, Cancellation));
        Assert.False(await new RunFiles(Store, "other").TryClaimAsync(new RunSpec { Id = "other" }, Cancellation));
    }

    [Fact]
    public async Task ReadStatus_WrittenTwice_IsTheLast()
    {
        Assert.Null(await Files.ReadStatusAsync(Cancellation));
        var status = new ExperimentStatus
        {
            Phase = ExperimentPhase.Running, Runs = 4, Ended = 1, NotComplete = 0, RunId = "sample-v02-r01", Variant = "variant B",
            Repeat = 1,
        };
        await Files.WriteStatusAsync(status with { Ended = 0 }, Cancellation);
        await Files.WriteStatusAsync(status, Cancellation);

        Assert.Equal(status, await Files.ReadStatusAsync(Cancellation));
    }

    [Fact]
    public async Task RequestStop_Flag_StaysUntilItIsWithdrawn()
    {
        await Files.TryClaimAsync(Spec, Cancellation);
        await Files.WithdrawStopAsync(Cancellation);
        Assert.False(await Files.IsStopRequestedAsync(Cancellation));
        await Files.RequestStopAsync(Cancellation);
        Assert.True(await Files.IsStopRequestedAsync(Cancellation));
        await Files.WithdrawStopAsync(Cancellation);

        Assert.False(await Files.IsStopRequestedAsync(Cancellation));
        Assert.NotNull(await Files.ReadSpecAsync(Cancellation));
    }

    [Fact]
    public async Task TryClaimAttempt_ManyAtOnce_HasOneWinnerAndTheLastIsRead()
    {
        Assert.Null(await Files.ReadAttemptAsync(Cancellation));
        foreach (var number in Enumerable.Range(1, 11))
        {
            var attempt = new JobAttempt(number, DateTimeOffset.UnixEpoch);
            var won = await Task.WhenAll(Enumerable.Range(0, 5).Select(_ => Files.TryClaimAttemptAsync(attempt, Cancellation)));

            Assert.Single(won, one => one);
            Assert.Equal(attempt, await Files.ReadAttemptAsync(Cancellation));
        }
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(119, true)]
    [InlineData(120, false)]
    public void MayBegin_AttemptWithoutOrchestration_ForTwoMinutes(int seconds, bool mayBegin) =>
        Assert.Equal(mayBegin, new JobAttempt(2, DateTimeOffset.UnixEpoch).MayBegin(DateTimeOffset.UnixEpoch.AddSeconds(seconds)));
}
