using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;
using ScaleOut.Validation;

namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>
/// Reads plans of experiments and names everything that is wrong with them at once. A field that is null counts as left out.
/// No plan, however broken, makes it throw.
/// </summary>
public static class ExperimentSpecReader
{
    /// <summary>Reads a plan's text.</summary>
    /// <param name="plan">JSON.</param>
    /// <param name="target">Where the runs go.</param>
    /// <param name="edit">Changes the plan's fields before they are read (see <see cref="SpecEdit"/>); not called for text that is no JSON object.</param>
    public static ExperimentReading Read(string plan, RunTarget target = RunTarget.Undecided, Action<JsonObject>? edit = null)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var context = new ReadingContext();
        var root = PlanText.Parse(plan, context);
        if (context.IsFaulty(""))
            return new ExperimentReading { Faults = context.Faults };
        if (root is JsonObject fields)
            edit?.Invoke(fields);
        return Read(root, target, context);
    }

    /// <summary>Reads a plan that is JSON already.</summary>
    public static ExperimentReading Read(JsonElement plan, RunTarget target = RunTarget.Undecided)
    {
        var context = new ReadingContext();
        return Read(plan.ValueKind == JsonValueKind.Undefined ? null : PlanText.Copy(plan, "", context), target, context);
    }

    /// <summary>Validates a spec that was built in code, as if it had been read.</summary>
    public static ExperimentReading Check(ExperimentSpec spec, RunTarget target = RunTarget.Undecided)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var context = new ReadingContext();
        var root = PlanElement.Of(spec, context) is { } element ? PlanText.Copy(element, "", context) : null;
        return context.IsFaulty("") ? new ExperimentReading { Faults = context.Faults } : Read(root, target, context);
    }

    /// <summary>Whether a plan's text is meant to be an experiment rather than a run: a JSON object with variants or a base.</summary>
    public static bool IsExperiment(string plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return PlanText.Parse(plan, new ReadingContext()) is JsonObject root && (root.ContainsKey("variants") || root.ContainsKey("base"));
    }

    /// <summary>The JSON schema of plans of experiments, made by the same code that reads them; what spans several fields is not in it.</summary>
    public static JsonObject Schema() => ExperimentSpecSchema.Create();

    private static ExperimentReading Read(JsonNode? root, RunTarget target, ReadingContext context)
    {
        if (PlanElement.Of(root, context) is not { } element)
            return new ExperimentReading { Faults = context.Faults };
        if (root is not JsonObject plan)
        {
            context.Add("", $"a plan of an experiment is a JSON object, not {FaultText.Of(element)}");
            return new ExperimentReading { Faults = context.Faults };
        }

        var fields = new ReadingValue(element, "", context).Nested(ExperimentSpecFields.Read)!;
        var spec = fields with
        {
            Base = ObjectIn(plan, "base"),
            Variants = [.. fields.Variants.Select((variant, i) => variant is null ? new VariantSpec { Name = "" } : variant with { Change = ObjectIn(plan["variants"]![i] as JsonObject, "change") })],
        };
        new ExperimentSpecRules(spec, target, context).Check();
        return new ExperimentReading { Spec = context.Faults.Count == 0 ? spec : null, Faults = context.Faults };
    }

    private static JsonObject ObjectIn(JsonObject? holder, string name) => holder?[name] is JsonObject found ? found.DeepClone().AsObject() : [];
}

/// <summary>What came of reading an experiment's plan: the spec, or everything that is wrong with it.</summary>
public sealed record ExperimentReading
{
    /// <summary>Null exactly when there are faults.</summary>
    public ExperimentSpec? Spec { get; init; }

    /// <summary>All of them; paths such as <c>variants[2].change.workers</c>.</summary>
    public IReadOnlyList<SpecFault> Faults { get; init; } = [];
}
