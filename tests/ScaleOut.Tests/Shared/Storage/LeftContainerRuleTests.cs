namespace ScaleOut.Tests.Shared.Storage;

public sealed class LeftContainerRuleTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(59, false)]
    [InlineData(60, true)]
    public void IsDue_RunHasEnded_AnHourAfterItsEnd(int minutes, bool due) =>
        Assert.Equal(due,
            LeftContainerRule.IsDue(Left(endedAt: Start.AddHours(5)), Instance(EngineState.Completed, Start.AddHours(5)),
                Start.AddHours(5).AddMinutes(minutes)));

    [Theory]
    [InlineData(EngineState.Pending)]
    [InlineData(EngineState.Running)]
    public void IsDue_OrchestrationGoesOn_Never(EngineState state)
    {
        Assert.False(LeftContainerRule.IsDue(Left(), Instance(state, Start), Start.AddDays(30)));
        Assert.False(LeftContainerRule.IsDue(Left(endedAt: Start), Instance(state, Start), Start.AddDays(30)));
    }

    [Theory]
    [InlineData(EngineState.Terminated)]
    [InlineData(EngineState.Failed)]
    public void IsDue_OrchestrationIsGone_AnHourAfterItWas(EngineState state)
    {
        var instance = Instance(state, Start.AddHours(3));

        Assert.False(LeftContainerRule.IsDue(Left(), instance, Start.AddHours(3.9)));
        Assert.True(LeftContainerRule.IsDue(Left(), instance, Start.AddHours(4)));
    }

    [Fact]
    public void IsDue_EngineKnowsNothing_AnHourAfterTheStart()
    {
        Assert.False(LeftContainerRule.IsDue(Left(), instance: null, Start.AddMinutes(59)));
        Assert.True(LeftContainerRule.IsDue(Left(), instance: null, Start.AddMinutes(60)));
    }

    private static LeftContainer Left(DateTimeOffset? endedAt = null) => new(
        new RunListing("r1", Name: null, Start),
        Prepared: null,
        endedAt is { } at
            ? new RunEnded(new RunOutcome { RunId = "r1", State = RunState.Complete, Remaining = 0 }, at)
            : null);

    private static EngineInstance Instance(EngineState state, DateTimeOffset updatedAt) =>
        new() { Id = "r", State = state, CreatedAt = Start, UpdatedAt = updatedAt };
}
