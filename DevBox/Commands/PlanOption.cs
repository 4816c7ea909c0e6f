using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;

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
