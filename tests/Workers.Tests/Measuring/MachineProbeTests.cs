namespace ScaleOut.Tests.Workers.Measuring;

public sealed class MachineProbeTests
{
    [Theory]
    [InlineData("WEBSITE_INSTANCE_ID=a;WEBSITE_POD_NAME=b;CONTAINER_NAME=c", "a")]
    [InlineData("WEBSITE_INSTANCE_ID=;WEBSITE_POD_NAME=b;CONTAINER_NAME=c", "b")]
    [InlineData("WEBSITE_POD_NAME=b", "b")]
    [InlineData("CONTAINER_NAME=c", "c")]
    public void InstanceId_OnAnyPlan_IsTheVariableThatDiffersBetweenItsInstances(string environment, string instance)
    {
        var variables = environment.Split(';').Select(pair => pair.Split('=')).ToDictionary(pair => pair[0], pair => pair[1]);
        Assert.Equal(instance, MachineProbe.InstanceIdIn(variables.GetValueOrDefault));
    }

    [Fact]
    public void InstanceId_OffAzure_IsTheMachine() => Assert.Equal(Environment.MachineName, MachineProbe.InstanceIdIn(_ => null));
}
