using Microsoft.DurableTask.Client;
using Microsoft.DurableTask.Converters;

namespace ScaleOut.Orchestrator.Tests;

public sealed class EngineInstancesTests
{
    [Fact]
    public void StatusOf_StatusThatWasPublished_IsRead()
    {
        var status = RunStatus.In(RunPhase.Verifying, new RunSpec { Documents = 7 }, DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch);
        Assert.Equivalent(status, StatusOf(JsonSerializer.Serialize(status, ScaleOutJson.Compact)), strict: true);
    }

    [Fact]
    public void StatusOf_StatusOfAnEarlierVersion_IsNull() =>
        Assert.Null(StatusOf("""{"phase":"running","outcome":null,"runsAhead":null}"""));

    private static RunStatus? StatusOf(string json) => EngineInstances.StatusOf(new OrchestrationMetadata("RunOrchestrator", "r")
    {
        SerializedCustomStatus = json, DataConverter = new JsonDataConverter(ScaleOutJson.Compact),
    });
}
