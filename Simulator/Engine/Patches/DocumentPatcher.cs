namespace ScaleOut.Simulator.Engine.Patches;

internal static class DocumentPatcher
{
    private const int MaxDepth = 128;

    /// <summary>The changed body; null with an error for a 400.</summary>
    public static ReadOnlyMemory<byte>? Apply(PatchSpecification patch, ReadOnlySpan<byte> body, out string? error)
    {
        error = null;
        try
        {
            var root = JsonNode.Parse(body, documentOptions: new JsonDocumentOptions { MaxDepth = MaxDepth })!;
            foreach (var step in patch.Steps)
                Apply(root, step);
            var output = new ArrayBufferWriter<byte>(body.Length + 256);
            using (var writer = new Utf8JsonWriter(
                output, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true }))
                root.WriteTo(writer);
            return output.WrittenMemory;
        }
        catch (RequestException e)
        {
            error = e.Message;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or JsonException)
        {
            // The document is invalid. The error tells the client why.
            error = "The document cannot be patched because it has duplicate property names, or text that is not valid UTF-8.";
        }

        return null;
    }

    private static void Apply(JsonNode root, PatchStep step)
    {
        switch (step.Kind)
        {
            case PatchKind.Remove:
                Take(root, step, step.Path);
                break;
            case PatchKind.Move:
                if (step.Path.Length > step.From.Length && step.Path.AsSpan().StartsWith(step.From))
                    throw Error(step, "A value cannot be moved into itself.");
                Place(root, step, Take(root, step, step.From));
                break;
            case PatchKind.Increment:
                Increment(root, step);
                break;
            default:
                Place(root, step, NodeOf(step.Value));
                break;
        }
    }

    private static void Place(JsonNode root, PatchStep step, JsonNode? value)
    {
        switch (ParentOf(root, step, step.Path))
        {
            case JsonObject parent:
                if (step.Kind == PatchKind.Replace && !parent.ContainsKey(step.Path[^1]))
                    throw ValueNotFound(step, step.Path);
                parent[step.Path[^1]] = value;
                break;
            case JsonArray array:
                var index = IndexOf(array, step, step.Path, mayAppend: step.Kind != PatchKind.Replace);
                if (index == array.Count)
                    array.Add(value);
                else if (step.Kind is PatchKind.Set or PatchKind.Replace)
                    array[index] = value;
                else
                    array.Insert(index, value);
                break;
            default:
                throw ParentNotFound(step, step.Path);
        }
    }

    private static JsonNode? Take(JsonNode root, PatchStep step, string[] path)
    {
        JsonNode? value;
        switch (ParentOf(root, step, path))
        {
            case JsonObject parent:
                if (!parent.TryGetPropertyValue(path[^1], out value))
                    throw ValueNotFound(step, path);
                parent.Remove(path[^1]);
                return value;
            case JsonArray array:
                var index = IndexOf(array, step, path, mayAppend: false);
                value = array[index];
                array.RemoveAt(index);
                return value;
            default:
                throw ValueNotFound(step, path);
        }
    }

    private static void Increment(JsonNode root, PatchStep step)
    {
        var name = step.Path[^1];
        switch (ParentOf(root, step, step.Path))
        {
            case JsonObject parent:
                parent[name] = parent.TryGetPropertyValue(name, out var old) ? Sum(step, old) : NodeOf(step.Value);
                break;
            case JsonArray array:
                var index = IndexOf(array, step, step.Path, mayAppend: false);
                array[index] = Sum(step, array[index]);
                break;
            default:
                throw ParentNotFound(step, step.Path);
        }
    }

    private static JsonValue Sum(PatchStep step, JsonNode? old)
    {
        if (old?.GetValueKind() != JsonValueKind.Number)
            throw Error(step, "Increment Operation needs a number at its path.");
        var number = old.GetValue<JsonElement>();
        if (number.TryGetInt64(out var left) && step.Value.TryGetInt64(out var right)
            && (Int128)left + right is var whole && whole >= long.MinValue && whole <= long.MaxValue)
            return JsonValue.Create(JsonSerializer.SerializeToElement((long)whole))!;
        var sum = number.GetDouble() + step.Value.GetDouble();
        return double.IsFinite(sum)
            ? JsonValue.Create(JsonSerializer.SerializeToElement(sum))!
            : throw Error(step, "The result of the increment is out of the range of a number.");
    }

    /// <summary>The object or array that contains a path's last segment.</summary>
    private static JsonNode? ParentOf(JsonNode root, PatchStep step, string[] path)
    {
        var node = root;
        for (var i = 0; i < path.Length - 1; i++)
        {
            node = node switch
            {
                JsonObject parent when parent.TryGetPropertyValue(path[i], out var child) => child,
                JsonArray array => array[IndexOf(array, step, path[..(i + 1)], mayAppend: false)],
                _ => throw ParentNotFound(step, path[..(i + 1)]),
            };
        }

        return node;
    }

    private static int IndexOf(JsonArray array, PatchStep step, string[] path, bool mayAppend)
    {
        if (path[^1] == "-" && mayAppend)
            return array.Count;
        if (int.TryParse(path[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var index)
            && (index < array.Count || (mayAppend && index == array.Count)))
            return index;
        throw Error(step, $"'{path[^1]}' is no index of the array of {array.Count} elements at '/{string.Join('/', path[..^1])}'.");
    }

    private static JsonNode? NodeOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object => JsonObject.Create(value),
        JsonValueKind.Array => JsonArray.Create(value),
        JsonValueKind.Null => null,
        _ => JsonValue.Create(value),
    };

    private static RequestException ValueNotFound(PatchStep step, string[] path) =>
        Error(step, $"{step.Kind} Operation needs an existing value, and there is none at path '/{string.Join('/', path)}'.");

    private static RequestException ParentNotFound(PatchStep step, string[] path) => Error(
        step,
        $"{step.Kind} Operation can only create a child object of an existing node(array or object) and cannot create path recursively, "
        + $"no path found beyond: '{path[^1]}'.");

    private static RequestException Error(PatchStep step, string reason) => PatchSpecification.Invalid(step.Number, reason);
}
