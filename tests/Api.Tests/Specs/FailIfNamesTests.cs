using ScaleOut.Analysis.Reports.FailIf;
using ScaleOut.Api.Specs;

namespace ScaleOut.Tests.Api.Specs;

public sealed class FailIfNamesTests
{
    [Theory]
    [InlineData("p99<20ms", 1)]
    [InlineData("errors<=3 || achievedShare>0.9", 2)]
    [InlineData("p99>=20ms && throughput.overlapPerSecond<100", 0)]
    [InlineData("valid", 1)]
    [InlineData("!valid || insert.p99>=20ms", 0)]
    public void FailIf_FailsTheBetterRuns_Warns(string text, int warnings)
    {
        var (condition, errors) = FailIfExpression.Check(text, FailIfNames.OfRun);
        Assert.Empty(errors);
        var found = LimitNumbers.ProbablyInverted(condition!);
        Assert.Equal(warnings, found.Count);
        Assert.All(found, warning => Assert.Contains("did you mean", warning, StringComparison.Ordinal));
    }

    [Fact]
    public void FailIf_AlwaysTrue_IsAnErrorBeforeTheRun()
    {
        var (condition, errors) = FailIfExpression.Check("throttledShare<5 || colour>1", FailIfNames.OfRun);
        Assert.Null(condition);
        Assert.Equal(2, errors.Count);
    }

    [Fact]
    public void OfRunOf_Workload_HasItsKindsOnly()
    {
        var insert = FailIfNames.OfRunOf(new RunSpec());
        var mix = FailIfNames.OfRunOf(RunSpecReader.Read("""{"workload":{"mix":{"read":9,"upsert":1}}}""").Value!);
        Assert.Equal((true, false), (insert.Contains("insert.p99"), insert.Contains("read.p99")));
        Assert.Equal(
            (false, true, true), (mix.Contains("insert.p99"), mix.Contains("read.throttledShare"), mix.Contains("upsert.errors")));
        Assert.Contains("partition.throttledShare", mix);
        var action = FailIfNames.OfRunOf(RunSpecReader.Read("""{"workload":{"action":["read","insert","read"]}}""").Value!);
        Assert.Equal(
            (true, true, true, false),
            (action.Contains("action.p99"), action.Contains("read.p99"), action.Contains("insert.errors"), action.Contains("patch.p99")));
        Assert.DoesNotContain("action.p99", mix);
        Assert.StartsWith(
            "position 1: unknown name 'read.p99'", Assert.Single(FailIfExpression.Check("read.p99>1s", insert).Errors).ToString(),
            StringComparison.Ordinal);
    }

    /// <summary>What a search may name, a run may name too, and the other way round.</summary>
    [Fact]
    public void Names_OfRunsAndSearches_AreTheSame() =>
        Assert.Equal(FailIfNames.OfRun.Order(StringComparer.Ordinal), LimitNumbers.Names.Order(StringComparer.Ordinal));
}
