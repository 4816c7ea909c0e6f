namespace ScaleOut.Specs;

/// <summary>Changes a spec's fields before it is read, so that options of the command line are validated like the spec itself.</summary>
public static class SpecEdit
{
    /// <summary>
    /// Sets one field, and creates the objects that contain it. If one of them has a value that is no object, nothing is set, and the
    /// reader of the spec reports the error.
    /// </summary>
    /// <param name="path">Field names with dots between, such as <c>client.concurrency</c>.</param>
    /// <param name="value">Null gives the field its default.</param>
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
