namespace ScaleOut.Specs;

/// <summary>Changes a spec's fields before it is read, so that options of the command line are validated like the spec itself.</summary>
public static class SpecEdit
{
    /// <summary>
    /// Sets one field and makes the objects on the way to it. A value on the way that is no object stays; the reader then reports it.
    /// </summary>
    /// <param name="path">Field names with dots between, such as <c>client.concurrency</c>.</param>
    /// <param name="value">Null removes the field's value, which leaves its default.</param>
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

        target[names[^1]] = value;
    }
}
