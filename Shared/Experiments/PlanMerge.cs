using System.Text.Json.Nodes;

namespace ScaleOut.Experiments;

/// <summary>Lays a partial plan over another one (RFC 7396).</summary>
public static class PlanMerge
{
    /// <summary>A new plan: objects are merged field by field, everything else replaces what is there, null takes a field away.</summary>
    public static JsonObject Of(JsonObject plan, JsonObject change)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(change);
        var merged = plan.DeepClone().AsObject();
        foreach (var (name, value) in change)
        {
            if (value is null)
                merged.Remove(name);
            else if (value is JsonObject inner)
                merged[name] = Of(merged[name] as JsonObject ?? [], inner);
            else
                merged[name] = value.DeepClone();
        }

        return merged;
    }
}
