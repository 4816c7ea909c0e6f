using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.Specs.Reading;

/// <summary>Turns plans that exist as values into JSON to read.</summary>
internal static class PlanElement
{
    /// <summary>The value's JSON; null with a fault where it has none, such as for NaN and for enum values without a name.</summary>
    public static JsonElement? Of<T>(T value, ReadingContext context)
    {
        try
        {
            return JsonSerializer.SerializeToElement(value, ScaleOutJson.Compact);
        }
        catch (Exception unwritable) when (unwritable is ArgumentException or JsonException or InvalidOperationException)
        {
            context.Add("", $"cannot be written as JSON: {unwritable.Message}", beyondSchema: true);
            return null;
        }
    }
}
