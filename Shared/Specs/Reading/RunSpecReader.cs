using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>
/// Reads plans and names everything that is wrong with them at once. A field that is null counts as left out.
/// No plan, however broken, makes it throw.
/// </summary>
public static class RunSpecReader
{
    /// <summary>Reads a plan's text.</summary>
    /// <param name="plan">JSON.</param>
    /// <param name="target">Where the run goes.</param>
    /// <param name="edit">Changes the plan's fields before they are read (see <see cref="SpecEdit"/>); not called for text that is no JSON object.</param>
    public static RunSpecReading Read(string plan, RunTarget target = RunTarget.Undecided, Action<JsonObject>? edit = null)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var context = new ReadingContext();
        var root = PlanText.Parse(plan, context);
        if (context.IsFaulty(""))
            return new RunSpecReading { Faults = context.Faults };

        if (root is JsonObject fields)
            edit?.Invoke(fields);
        return Read(PlanElement.Of(root, context), target, context);
    }

    /// <summary>Reads a plan that is JSON already.</summary>
    public static RunSpecReading Read(JsonElement plan, RunTarget target = RunTarget.Undecided)
    {
        var context = new ReadingContext();
        var root = plan.ValueKind == JsonValueKind.Undefined ? null : PlanText.Copy(plan, "", context);
        return Read(PlanElement.Of(root, context), target, context);
    }

    /// <summary>Reads a plan that is JSON already.</summary>
    public static RunSpecReading Read(JsonObject plan, RunTarget target = RunTarget.Undecided)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return ReadValue(plan, target);
    }

    /// <summary>Validates a spec that was built in code, as if it had been read.</summary>
    /// <returns>The spec as it reads back: with the defaults in place of null lists and parts.</returns>
    public static RunSpecReading Check(RunSpec spec, RunTarget target = RunTarget.Undecided)
    {
        ArgumentNullException.ThrowIfNull(spec);
        return ReadValue(spec, target);
    }

    /// <summary>The JSON schema of plans, made by the same code that reads them; what spans several fields is not in it.</summary>
    public static JsonObject Schema() => RunSpecSchema.Create();

    private static RunSpecReading ReadValue<T>(T plan, RunTarget target)
    {
        var context = new ReadingContext();
        var element = PlanElement.Of(plan, context);
        if (element is { } valid)
        {
            var root = PlanText.Copy(valid, "", context);
            element = PlanElement.Of(root, context);
        }

        return Read(element, target, context);
    }

    private static RunSpecReading Read(JsonElement? plan, RunTarget target, ReadingContext context)
    {
        if (plan is not { } element)
            return new RunSpecReading { Faults = context.Faults };
        if (element.ValueKind != JsonValueKind.Object)
        {
            context.Add("", $"a plan is a JSON object, not {FaultText.Of(element)}");
            return new RunSpecReading { Faults = context.Faults };
        }

        var spec = new ReadingValue(element, "", context).Nested(RunSpecFields.Read)!;
        new RunSpecRules(spec, target, context).Check();
        return new RunSpecReading { Spec = context.Faults.Count == 0 ? spec : null, Faults = context.Faults };
    }
}

/// <summary>What came of reading a plan: the spec, or everything that is wrong with it.</summary>
public sealed record RunSpecReading
{
    /// <summary>Null exactly when there are faults.</summary>
    public RunSpec? Spec { get; init; }

    /// <summary>All of them, those of the text first, then field by field, then rules across fields.</summary>
    public IReadOnlyList<SpecFault> Faults { get; init; } = [];
}
