namespace ScaleOut.Tests.EndToEnd.SpecFiles;

/// <summary>Small random changes to a spec: other values, other names, fields and items more or fewer.</summary>
internal static class SpecMutations
{
    private static readonly string[] Numbers =
    [
        "0", "1", "-1", "2", "7", "100", "450", "999", "1000", "1500", "4096", "65536", "1e6", "1.0", "1.5", "-0.0", "0.5", "1e400",
        "-1e400", "99999999999999999999999", "2147483648",
    ];

    private static readonly string[] Texts =
    [
        "\"\"", "\"x\"", "\"Gateway\"", "\"gAtEwAy\"", "\"batch\"", "\"BULK\"", "\"same-region\"", "\"None\"", "\"Strong\"", "\"eventual\"",
        "\"00:00:30\"", "\"00:00:30.5\"", "\"99:00:00\"", "\"23:59:59\"", "\"5x\"", "\"/PartitionKey\"", "\"/id\"", "\"/SomeText\"",
        "\"/*\"", "\"/a/?\"", "\"a/b\"", "\"end \"", "\"run-1\"", "\"Run_1\"", "\"{{key}}\"", "\"{{nokey}}\"", "\"@a\"", "\"read\"",
        "\"flights\"", "\"Dest\"", "\"a\\nb\"",
    ];

    private static readonly string[] Others =
    [
        "null", "true", "false", "[]", "{}", "[1,1]", "[0,1.0]", "[1,1.0]", "[999]", "[\"/a/?\",\"/a/?\"]", "[\"/a/?\",\"/b/*\"]", "[null]",
        "[{}]", "{\"kind\":\"batch\"}", "{\"roundTripMs\":1,\"gatewayHopMs\":2,\"writeMedianMs\":3,\"readMedianMs\":4}",
        "{\"roundTripMs\":1}", "[{\"workers\":[0],\"client\":{}}]", "[{\"status\":429}]", "[{\"subStatus\":3200,\"delayMs\":1}]",
        "[{\"delayMs\":1,\"fromSeconds\":5,\"untilSeconds\":5}]", "{\"text\":\"SELECT\"}", "[{\"name\":\"@a\",\"value\":1}]",
        "[{\"users\":1,\"duration\":\"00:00:05\"}]", "[{\"users\":0,\"duration\":\"00:00:05\"}]", "[\"Origin\"]", "{\"a\":\"{{number}}\"}",
    ];

    private static readonly string[] Any = [.. Numbers, .. Texts, .. Others];

    private static readonly string[] Names =
    [
        "documents", "workers", "kind", "client", "name", "throughput", "througput", "batchSize", "latency", "faults", "workerOverrides",
        "excludedPaths", "includedPaths", "timeToLive", "compositeIndexes", "partitionKeyPaths", "status", "rate",
        "legDuration", "$schema", "unknown", "preload", "query", "steps", "csv", "template", "keyColumn",
        "text", "value", "users", "cores", "bulk",
    ];

    /// <summary>Copies one field from another spec: each value fits its field, but perhaps no longer the other fields.</summary>
    public static void Graft(JsonObject spec, JsonObject donor, Random random)
    {
        while (true)
        {
            var (name, value) = donor.ElementAt(random.Next(donor.Count));
            if (value is JsonObject inner && spec[name] is JsonObject own && random.Next(4) > 0)
            {
                (spec, donor) = (own, inner);
                continue;
            }

            spec[name] = value?.DeepClone();
            return;
        }
    }

    public static void Apply(JsonObject spec, Random random)
    {
        var targets = new List<JsonNode>();
        Collect(spec, targets);
        switch (targets[random.Next(targets.Count)])
        {
            case JsonObject fields:
                ChangeField(fields, random);
                break;
            case JsonArray { Count: > 0 } items when random.Next(3) == 0:
                items.RemoveAt(random.Next(items.Count));
                break;
            case JsonArray { Count: > 0 } items when random.Next(2) == 0:
                var index = random.Next(items.Count);
                items[index] = Value(random, items[index]);
                break;
            case JsonArray items:
                items.Add(items.Count > 0 && random.Next(2) == 0 ? items[0]?.DeepClone() : Value(random, items.FirstOrDefault()));
                break;
            default:
                throw new InvalidOperationException("only objects and arrays are collected");
        }
    }

    private static void ChangeField(JsonObject fields, Random random)
    {
        var names = fields.Select(field => field.Key).ToList();
        var name = names.Count > 0 && random.Next(4) > 0 ? names[random.Next(names.Count)] : Names[random.Next(Names.Length)];
        if (random.Next(6) == 0)
            fields.Remove(name);
        else
            fields[name] = Value(random, fields[name]);
    }

    // The value mostly keeps its kind. Otherwise nearly every spec has a wrong type, which hides errors of ranges and rules.
    private static JsonNode? Value(Random random, JsonNode? before)
    {
        var values = random.Next(8) == 0 ? Any : before?.GetValueKind() switch
        {
            JsonValueKind.Number => Numbers,
            JsonValueKind.String => Texts,
            JsonValueKind.True or JsonValueKind.False => ["true", "false"],
            JsonValueKind.Array or JsonValueKind.Object => Others,
            _ => Any,
        };
        return JsonNode.Parse(values[random.Next(values.Length)]);
    }

    private static void Collect(JsonNode? node, List<JsonNode> found)
    {
        switch (node)
        {
            case JsonObject fields:
                found.Add(fields);
                foreach (var (_, value) in fields)
                    Collect(value, found);
                break;
            case JsonArray items:
                found.Add(items);
                foreach (var item in items)
                    Collect(item, found);
                break;
        }
    }
}
