namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class ChildIdsTests
{
    [Fact]
    public void Ids_OfAllWorkersGroupsAndAttempts_AreDistinct()
    {
        string[] roots =
        [
            "a-1", .. Enumerable.Range(1, 12).SelectMany(attempt => new[] { ChildIds.Again("a", attempt), ChildIds.Attempt("a", attempt) }),
        ];
        var ids = roots
            .SelectMany(root => Enumerable.Range(0, 1_000).SelectMany(i => new[] { ChildIds.Worker(root, i), ChildIds.Group(root, i) }))
            .Concat(roots).ToList();

        Assert.Equal(ids.Count, ids.Distinct().Count());
        Assert.All(
            ids.Where(id => id != "a" && !id.StartsWith("a-1", StringComparison.Ordinal)),
            id => Assert.StartsWith(ChildIds.Prefix("a"), id, StringComparison.Ordinal));
        Assert.Equal("million-1:worker-0007", ChildIds.Worker("million-1", 7));
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
