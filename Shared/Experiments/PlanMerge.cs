namespace ScaleOut.Experiments;

/// <summary>Lays a partial spec over another one (RFC 7396).</summary>
public static class PlanMerge
{
    /// <summary>Merges objects field by field. Other values replace the spec's, and null removes a field.</summary>
    public static JsonObject From(JsonObject spec, JsonObject change)
    {
        var merged = spec.DeepClone().AsObject();
        foreach (var (name, value) in change)
        {
            if (value is null)
                merged.Remove(name);
            else if (value is JsonObject inner)
                merged[name] = From(merged[name] as JsonObject ?? [], inner);
            else
                merged[name] = value.DeepClone();
        }

        return merged;
    }
}
