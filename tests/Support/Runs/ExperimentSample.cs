namespace ScaleOut.Tests.Support.Runs;

internal static class ExperimentSample
{
    public static ExperimentSpec From(int variants, int repeats, bool interleaved = true) => new()
    {
        Id = "sample", Name = "A sample",
        Base = new JsonObject { ["documents"] = 1_000, ["workers"] = 1, ["seed"] = 7 },
        Variants = [.. Enumerable.Range(0, variants).Select(i => new VariantSpec
        {
            Name = $"variant {(char)('A' + i)}", Change = new JsonObject { ["client"] = new JsonObject { ["concurrency"] = i + 1 } },
        })],
        Repeats = repeats, Interleaved = interleaved, Seed = null,
    };
}
