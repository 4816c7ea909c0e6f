using System.Globalization;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Findings.Catalog;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;
using ScaleOut.Validation;

namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>What only holds between an experiment's fields: unique names, the number of runs, and that every variant makes a valid run.</summary>
/// <param name="spec">Faulty fields hold their defaults.</param>
/// <param name="target">Where the runs go.</param>
/// <param name="context">Knows which fields are faulty: rules that rest on one say nothing.</param>
internal sealed class ExperimentSpecRules(ExperimentSpec spec, RunTarget target, ReadingContext context)
{
    private const string OwnId = "the ids of runs are made from the experiment's id";

    public void Check()
    {
        Refuse(spec.Base, "base");
        if (context.IsFaulty("variants"))
            return;
        CheckNames();
        var runs = (long)spec.Variants.Count * spec.Repeats;
        if (runs > ExperimentSpec.MostRuns && !context.IsFaulty("repeats"))
            context.Add("repeats", string.Create(CultureInfo.InvariantCulture, $"{spec.Repeats} repeats of {spec.Variants.Count} variants are {runs} runs; at most {ExperimentSpec.MostRuns}"), beyondSchema: true);
        CheckRuns();
    }

    private void CheckNames()
    {
        var seen = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        for (var i = 0; i < spec.Variants.Count; i++)
        {
            var path = $"{SpecPath.Item("variants", i)}.name";
            if (!context.IsFaulty(path) && !seen.TryAdd(spec.Variants[i].Name, i))
                context.Add(path, $"{FaultText.Quote(spec.Variants[i].Name)} is the name of {SpecPath.Item("variants", seen[spec.Variants[i].Name])} too", beyondSchema: true);
        }
    }

    private void CheckRuns()
    {
        if (context.IsFaulty("base"))
            return;
        var ofBase = RunSpecReader.Read(spec.Base, target).Faults;
        var plans = new Dictionary<string, RunSpec>(StringComparer.Ordinal);
        for (var i = 0; i < spec.Variants.Count; i++)
        {
            var path = SpecPath.Item("variants", i);
            var changePath = $"{path}.change";
            if (context.IsFaulty(changePath))
                continue;
            var change = spec.Variants[i].Change;
            Refuse(change, changePath);
            var reading = RunSpecReader.Read(PlanMerge.Of(spec.Base, change), target);
            foreach (var fault in reading.Faults)
                Add(fault, ofBase, change, path, changePath);
            if (reading.Spec is { } plan)
                plans.TryAdd(spec.Variants[i].Name, plan);
        }

        // What findings ask of variants rests on all of them.
        if (context.Faults.Count == 0)
            CheckFindings(plans);
    }

    private void CheckFindings(Dictionary<string, RunSpec> plans)
    {
        foreach (var fault in FindingRules.Check(spec.Findings, plans))
            context.Add(fault.Path, fault.Message, fault.BeyondSchema);
    }

    /// <summary>Names a fault of a variant's run where a user would mend it: in the change, in the base, or in how the two go together.</summary>
    private void Add(SpecFault fault, IReadOnlyList<SpecFault> ofBase, JsonObject change, string path, string changePath)
    {
        var (place, message) = Gives(change, fault.Path) ? ($"{changePath}.{fault.Path}", fault.Message)
            : ofBase.Contains(fault) ? ($"base.{fault.Path}", fault.Message)
            : (path, $"with the base, {fault}");
        if (place == path ? context.Faults.All(known => known.Path != place || known.Message != message) : !context.IsFaulty(place))
            context.Add(place, message, beyondSchema: true);
    }

    private void Refuse(JsonObject plan, string path)
    {
        if (plan["id"] is not null && !context.IsFaulty($"{path}.id"))
            context.Add($"{path}.id", OwnId, beyondSchema: true);
    }

    /// <summary>Whether a change sets what stands at a path, or something that holds it.</summary>
    private static bool Gives(JsonObject change, string path)
    {
        JsonNode at = change;
        foreach (var name in path.Split(['.', '['], StringSplitOptions.RemoveEmptyEntries))
        {
            if (at is not JsonObject inner)
                return true;
            if (inner[name] is not { } next)
                return false;
            at = next;
        }

        return path.Length > 0;
    }
}
