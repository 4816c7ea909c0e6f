using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Reports.FailIf;

public sealed class ConditionNameTests
{
    /// <summary>A new figure of a report is put in the table of names, or here.</summary>
    [Fact]
    public void From_NamesOfARun_AreInTheTableButForNumbersOfAnySize() => Assert.Equal(
        ["distinctInstances", "documentBytes", "documents.rise", "documents.verified", "spec."],
        LimitNumbers.Names.Where(name => ConditionName.From(name) == new ConditionName(name))
            .Select(name => name.StartsWith("spec.", StringComparison.Ordinal) ? "spec." : name)
            .Distinct().Order(StringComparer.Ordinal));

    [Fact]
    public void From_NamesOfExperimentsAndSearches_AreInTheTable() => Assert.All(
        [.. ExperimentNumbers.Names, .. LimitNumbers.OfSearch(report: null).Keys],
        name => Assert.NotEqual(new ConditionName(name), ConditionName.From(name)));

    [Fact]
    public void From_NameOfAKind_IsThatOfAllOperations()
    {
        foreach (var (name, _) in ConditionName.ShortNames.Where(one => one.Name != LimitSpec.AchievedShare))
            Assert.Equal(ConditionName.From(name), ConditionName.From($"insert.{name}") with { Name = name });
    }

    [Fact]
    public void From_Units_AreWhatTheNamesSay() => Assert.All(LimitNumbers.Names, name =>
    {
        var unit = ConditionName.From(name).Unit;
        Assert.Equal(name.EndsWith("Seconds", StringComparison.Ordinal) && !name.StartsWith("utilization.", StringComparison.Ordinal),
            unit == ConditionUnit.Seconds);
        Assert.True(!name.EndsWith("Share", StringComparison.Ordinal) || unit == ConditionUnit.Share, name);
        Assert.True(!name.Contains("Ms", StringComparison.Ordinal) || unit == ConditionUnit.Milliseconds, name);
    });
}
