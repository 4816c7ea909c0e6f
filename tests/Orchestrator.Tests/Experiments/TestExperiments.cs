namespace ScaleOut.Orchestrator.Tests.Experiments;

/// <summary>Experiments of tests.</summary>
internal static class TestExperiments
{
    /// <summary>Two variants, twice each: <c>v01-r01</c>, <c>v02-r01</c>, <c>v02-r02</c>, <c>v01-r02</c>.</summary>
    public static ExperimentSpec Pair(string id)
    {
        var spec = OfAnyOrder(id);
        return spec with
        {
            Seed = Enumerable.Range(1, 100).First(seed =>
                new GridPlanner(spec with { Seed = seed }).All.Select(run => run.Variant).SequenceEqual([0, 1, 1, 0])),
        };
    }

    private static ExperimentSpec OfAnyOrder(string id) => new()
    {
        Id = id,
        Base = new JsonObject { ["documents"] = 100, ["workers"] = 1, ["container"] = new JsonObject { ["throughput"] = 1_000 } },
        Variants =
        [
            new VariantSpec
            {
                Name = "gateway",
                Change = new JsonObject { ["client"] = new JsonObject { ["connectionMode"] = "Gateway" } },
            },
            new VariantSpec { Name = "direct", Change = new JsonObject { ["client"] = new JsonObject { ["connectionMode"] = "Direct" } } },
        ],
        Repeats = 2,
    };

    /// <summary>Starts an experiment over HTTP, as its users do.</summary>
    public static async Task StartAsync(TestApp app, ExperimentSpec spec)
    {
        var (response, text) = await app.PostAsync("/api/experiments", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));
        Assert.True((int)response.StatusCode == 202, text);
    }
}
