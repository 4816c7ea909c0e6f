using ScaleOut.Orchestration;

namespace ScaleOut.Tests.Orchestration;

public sealed class ChildIdsTests
{
    [Fact]
    public void Ids_OfAllWorkersAndGroups_AreApart()
    {
        var ids = Enumerable.Range(0, 1_000).SelectMany(i => new[] { ChildIds.Worker("a", i), ChildIds.Group("a", i), ChildIds.Worker("a-1", i) }).ToList();

        Assert.Equal(ids.Count, ids.Distinct().Count());
        Assert.DoesNotContain("a", ids);
        Assert.Equal("million-1:worker-0007", ChildIds.Worker("million-1", 7));
    }
}
