namespace ScaleOut.Tests.Shared.Experiments;

public class ExperimentIdsTests
{
    [Theory]
    [InlineData(1, "experiment:ladder")]
    [InlineData(2, "experiment:ladder:2")]
    [InlineData(37, "experiment:ladder:37")]
    public void AttemptIn_InstanceId_IsItsAttempt(int attempt, string instanceId)
    {
        Assert.Equal(instanceId, ExperimentIds.InstanceId("ladder", attempt));
        Assert.Equal(attempt, ExperimentIds.AttemptIn(instanceId));
    }

    [Theory]
    [InlineData("ladder")]
    [InlineData("experiment:ladder:x")]
    [InlineData("experiment:ladder:-2")]
    [InlineData("")]
    public void AttemptIn_AnyOtherId_IsTheFirst(string instanceId) => Assert.Equal(1, ExperimentIds.AttemptIn(instanceId));
}
