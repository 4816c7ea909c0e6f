using ScaleOut.Analysis.Reports.FailIf;
using ScaleOut.Api.Specs;

namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The lists of names in docs/conditions.md are generated from the code.</summary>
public sealed class ConditionsPageTests
{
    [Theory]
    [InlineData("short names")]
    [InlineData("short names of runs")]
    [InlineData("runs")]
    [InlineData("searches")]
    [InlineData("experiments")]
    public void Page_Names_AreThoseOfTheCode(string list)
    {
        var text = list switch
        {
            "short names" => WithMeanings(ConditionName.ShortNames),
            "short names of runs" => WithMeanings(ConditionName.NamesOfRuns),
            "runs" => Rows(FailIfNames.OfRun.Except(ConditionName.OfKinds)
                .Except(ConditionName.ShortNames.Concat(ConditionName.NamesOfRuns).Select(one => one.Name))),
            "searches" => Rows(FailIfNames.OfLimit),
            _ => Rows(FailIfNames.OfExperiment),
        };
        GeneratedText.AssertIs(
            "docs/conditions.md", text, "SCALEOUT_REWRITE_CONDITIONS", nameof(ConditionsPageTests), $"<!-- begin: {list} -->\n",
            $"<!-- end: {list} -->");
    }

    private static string WithMeanings(IEnumerable<(string Name, string Meaning)> names) =>
        "| name | unit | meaning |\n|---|---|---|\n" + string.Concat(names.Select(
            one => $"| `{one.Name}` | {UnitOf(ConditionName.From(one.Name))} | {one.Meaning} |\n"));

    private static string Rows(IEnumerable<string> names) => "| name | unit |\n|---|---|\n" + string.Concat(
        names.Order(StringComparer.Ordinal).Select(name => $"| `{name}` | {UnitOf(ConditionName.From(name))} |\n"));

    private static string UnitOf(ConditionName name) => name switch
    {
        { Unit: ConditionUnit.Milliseconds } => "ms",
        { Unit: ConditionUnit.Seconds } => "s",
        { Unit: ConditionUnit.Flag } => "yes or no",
        { Unit: ConditionUnit.Share } => FormattableString.Invariant($"share, {name.Min} to {name.Max}"),
        _ => "",
    };
}
