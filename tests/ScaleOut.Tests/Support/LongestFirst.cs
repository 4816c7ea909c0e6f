using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(ScaleOut.Tests.Support.LongestFirst))]

namespace ScaleOut.Tests.Support;

/// <summary>
/// Starts the classes that run whole programs or legs, wait, or compute for long before all others, so that at the end of the suite no
/// long class goes on alone. The order does not change what a class proves.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] Long =
    [
        "EndToEnd.", "DevBox.Serving.", "Workers.Legs.", "Analysis.Experiments.PublishedPlans", "DevBox.Engine.", "DevBox.Machine.",
        "Simulator.Protocol.ReadManyTests", "Simulator.Direct.FuzzTests", "Simulator.Engine.Queries.Fuzz.", "Shared.Evidence.",
        "Analysis.Findings.KnownTruths", "Simulator.Prediction.VirtualFleet", "Workers.Storage.Blob",
        "Workers.Tables.",
    ];

    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection =>
        [.. testCollections.OrderBy(Place)];

    /// <summary>The display name ends with the class: "Test collection for ScaleOut.Tests.EndToEnd.StopTests (id: ...)".</summary>
    private static int Place<TTestCollection>(TTestCollection collection)
        where TTestCollection : ITestCollection
    {
        var place = Array.FindIndex(Long, name => collection.TestCollectionDisplayName.Contains("Tests." + name, StringComparison.Ordinal));
        return place < 0 ? Long.Length : place;
    }
}
