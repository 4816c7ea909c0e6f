using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Commands;

/// <summary>An option that sets one field of the plan. Its text is not judged here but by whoever reads the plan, together with all the rest.</summary>
internal sealed class PlanOption : Option<string?>
{
    /// <param name="name">Such as <c>--documents</c>.</param>
    /// <param name="path">The field's path in the plan, such as <c>client.concurrency</c>.</param>
    /// <param name="valueName">Stands for the value in the help.</param>
    /// <param name="description">One line for the help.</param>
    /// <param name="isText">Whether the field is a text also where the value reads as a number.</param>
    public PlanOption(string name, string path, string valueName, string description, bool isText = false)
        : base(name)
    {
        IsText = isText;
        Path = path;
        Description = description;
        HelpName = valueName;
        AllowMultipleArgumentsPerToken = false;
    }

    public string Path { get; }

    /// <summary>Whether the field is a text also where the value reads as a number.</summary>
    public bool IsText { get; }

    /// <summary>The given text as the field's JSON.</summary>
    public JsonNode ValueOf(string text) => IsText ? JsonValue.Create(text) : ToJson(text);

    /// <summary>Which options gave what is at fault, such as <c>given as --workers</c>; null when none did.</summary>
    public static string? SourcesOf(SpecFault fault, IEnumerable<PlanOption> given)
    {
        var sources = given.Where(option => option.Path == fault.Path || option.Path.StartsWith(fault.Path + ".", StringComparison.Ordinal)).Select(option => option.Name).ToList();
        return sources.Count == 0 ? null : $"given as {string.Join(" and ", sources)}";
    }

    /// <summary>What is wrong with options whatever a plan says, where that plan cannot be read.</summary>
    /// <param name="given">Options that are given.</param>
    /// <param name="faults">Of a plan that consists of them alone.</param>
    public static IEnumerable<string> FaultsOf(IReadOnlyList<PlanOption> given, IEnumerable<SpecFault> faults) =>
        // What spans several fields may be mended by the plan's own.
        from fault in faults where !fault.BeyondSchema let sources = SourcesOf(fault, given) where sources is not null select $"{fault} ({sources})";

    /// <summary>The given text as JSON: a number where it reads as one, else a string.</summary>
    public static JsonNode ToJson(string text)
    {
        try
        {
            return JsonNode.Parse(text) is JsonValue value && value.GetValueKind() == JsonValueKind.Number ? value : JsonValue.Create(text);
        }
        catch (JsonException)
        {
            return JsonValue.Create(text);
        }
    }
}
