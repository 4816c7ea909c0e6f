using ScaleOut.Http;

namespace ScaleOut.Tests.Http;

public class EngineExperimentsTests
{
    [Theory]
    [InlineData(1, "experiment:ladder")]
    [InlineData(2, "experiment:ladder:2")]
    [InlineData(37, "experiment:ladder:37")]
    public void AttemptOf_InstanceId_IsItsAttempt(int attempt, string instanceId)
    {
        Assert.Equal(instanceId, EngineExperiments.InstanceIdOf("ladder", attempt));
        Assert.Equal(attempt, EngineExperiments.AttemptOf(instanceId));
    }

    [Theory]
    [InlineData("ladder")]
    [InlineData("experiment:ladder:x")]
    [InlineData("experiment:ladder:-2")]
    [InlineData("")]
    public void AttemptOf_AnyOther_IsTheFirst(string instanceId) => Assert.Equal(1, EngineExperiments.AttemptOf(instanceId));
}
