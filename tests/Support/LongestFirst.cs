using Xunit.Sdk;
using Xunit.v3;

namespace ScaleOut.Tests.Support;

/// <summary>
/// Starts the classes that run whole programs or legs, wait, or compute for long before all others, so that at the end of the suite no
/// long class goes on alone. The order does not change what a class proves.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    /// <summary>Regular expressions of names after <c>ScaleOut.Tests.</c></summary>
    private static readonly string[] Long =
    [
        @"EndToEnd\.Documented\.", @"EndToEnd\.\w+Tests ", @"EndToEnd\.Http\.Serve", @"DevBox\.Serving\.",
        @"(Workers\.Legs|EndToEnd\.LegRuns)\.", @"EndToEnd\.SpecFiles\.PublishedPlans", @"DevBox\.Orchestration\.",
        @"DevBox\.Machine\.", @"Sizing\.\w+Tests ", @"EndToEnd\.Sdk\.ReadManyTests", @"EndToEnd\.Sdk\.(Query)?FuzzTests",
        @"EndToEnd\.Sdk\.QueryFuzz\.", @"EndToEnd\.Findings\.KnownTruths", @"Sizing\.Prediction\.VirtualFleet",
        @"(Workers|EndToEnd)\.Storage\.Blob", @"Analysis\.Limits\.LimitSearchTests",
    ];

    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection =>
        [.. testCollections.OrderBy(Place)];

    /// <summary>The display name ends with the class: "Test collection for ScaleOut.Tests.EndToEnd.StopTests (id: ...)".</summary>
    private static int Place<TTestCollection>(TTestCollection collection)
        where TTestCollection : ITestCollection
    {
        var place = Array.FindIndex(Long, name => Regex.IsMatch(collection.TestCollectionDisplayName, @"Tests\." + name));
        return place < 0 ? Long.Length : place;
    }
}
