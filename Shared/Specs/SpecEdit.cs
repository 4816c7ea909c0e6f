namespace ScaleOut.Specs;

/// <summary>Changes a spec's fields before it is read, so that options of the command line are validated like the spec itself.</summary>
public static class SpecEdit
{
    /// <summary>
    /// Sets one field, and creates the objects that contain it. If one of them has a value that is no object, nothing is set, and the
    /// reader of the spec reports the error.
    /// </summary>
    /// <param name="path">Field names with dots between, such as <c>client.concurrency</c>.</param>
    /// <param name="value">Null removes the field, so that it has its default.</param>
    public static void Set(JsonObject spec, string path, JsonNode? value)
    {
        var names = path.Split('.');
        var target = spec;
        foreach (var name in names[..^1])
        {
            if (target[name] is null)
                target[name] = new JsonObject();
            if (target[name] is not JsonObject inner)
                return;
            target = inner;
        }

        if (value is null)
            target.Remove(names[^1]);
        else
            target[names[^1]] = value;
    }

    /// <summary>Sets several fields to copies of the values.</summary>
    /// <param name="values">The values by the paths of their fields.</param>
    public static void SetAll(JsonObject spec, JsonObject values)
    {
        foreach (var (path, value) in values)
            Set(spec, path, value?.DeepClone());
    }
}
