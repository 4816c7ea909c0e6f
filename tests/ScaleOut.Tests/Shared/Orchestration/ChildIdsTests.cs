namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class ChildIdsTests
{
    [Fact]
    public void Ids_OfAllWorkersAndGroups_AreApart()
    {
        var ids = Enumerable.Range(0, 1_000)
            .SelectMany(i => new[] { ChildIds.Worker("a", i), ChildIds.Group("a", i), ChildIds.Worker("a-1", i) })
            .ToList();

        Assert.Equal(ids.Count, ids.Distinct().Count());
        Assert.DoesNotContain("a", ids);
        Assert.Equal("million-1:worker-0007", ChildIds.Worker("million-1", 7));
    }

    [Fact]
    public void Ids_OfEveryAttempt_AreApart()
    {
        var roots = Enumerable.Range(1, 12)
            .SelectMany(attempt => new[] { ChildIds.Again("a", attempt), ChildIds.Attempt("a", attempt) })
            .ToList();
        var ids = roots
            .SelectMany(root => Enumerable.Range(0, 100).SelectMany(i => new[] { ChildIds.Worker(root, i), ChildIds.Group(root, i) }))
            .Concat(roots)
            .ToList();

        Assert.Equal(ids.Count, ids.Distinct().Count());
        Assert.All(ids.Where(id => id != "a"), id => Assert.StartsWith(ChildIds.Prefix("a"), id, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("a:resumed-2:worker-0007", "a:resumed-2")]
    [InlineData("a", "a")]
    [InlineData("a:group-0050", "a")]
    [InlineData("a:again-2", "a:again-2")]
    [InlineData("a:again-12:group-0050", "a:again-12")]
    [InlineData("a:again-12:worker-0007", "a:again-12")]
    [InlineData("a:worker-0007", "a")]
    [InlineData("group-1:group-0050", "group-1")]
    public void Root_OfAnyOrchestrationOfARun_IsTheRunsOwn(string instanceId, string root) => Assert.Equal(root, ChildIds.Root(instanceId));
}
