using ScaleOut.Templates;

namespace ScaleOut.DevBox.Commands;

/// <param name="Text">The JSON of a spec; for a report, that of its run's spec.</param>
/// <param name="Report">The run's report; null for a spec.</param>
/// <param name="File">The file that it was read from; null for the defaults.</param>
internal sealed record SizeSource(string Text, RunReport? Report, string? File)
{
    public static SizeSource Default { get; } = new("{}", null, null);

    public static SizeSource From(RunReport report, string? file) =>
        new(JsonSerializer.Serialize(report.Spec, ScaleOutJson.Compact), report, file);

    /// <summary>
    /// The fields, by their paths, that say what documents are and cost. They are those of a template, or of a spec that has one, with the
    /// key and the index of its container.
    /// </summary>
    /// <param name="withAccount">Whether charges, consistency and latency are among them.</param>
    public static JsonObject DocumentFieldsOf(JsonObject given, bool withAccount)
    {
        if (given["document"] is not JsonObject document || !(document.ContainsKey("template") || document.ContainsKey("kinds")))
            return DocumentFieldsOf("template", given);
        var fields = new JsonObject { ["document"] = document.DeepClone() };
        string[] ofContainer =
        [
            "container.partitionKeyPath", "container.partitionKeyPaths", "container.indexing", "container.excludedPaths",
            "container.includedPaths",
        ];
        string[] ofAccount = ["client.consistency", "simulation.consistency", "simulation.charges", "simulation.latency"];
        foreach (var path in withAccount ? ofContainer.Concat(ofAccount) : ofContainer)
        {
            var (parent, name) = (path[..path.IndexOf('.')], path[(path.IndexOf('.') + 1)..]);
            if ((given[parent] as JsonObject)?[name] is { } value)
                fields[path] = value.DeepClone();
        }

        return fields;
    }

    /// <summary>The fields of documents of a given number of bytes, each with its own key.</summary>
    /// <param name="partitionKey">The option that names the key; null for one that is neither id nor text.</param>
    public static JsonObject DocumentFieldsOf(int bytes, string? partitionKey)
    {
        const int GuidLength = 36;
        var option = partitionKey ?? "pk";
        var template = new JsonObject { ["id"] = "{{id}}" };
        foreach (var property in PartitionKeyOption.PropertiesIn(option).Where(property => property != "id"))
            template[property] = "{{key}}";
        var written = Encoding.UTF8.GetByteCount(template.ToJsonString(ScaleOutJson.Compact)) + "\"text\":\"\",".Length
            + GuidLength - "{{id}}".Length + ((template.Count - 1) * (GuidLength - "{{key}}".Length));
        var text = new StringBuilder();
        for (var left = Math.Max(1, bytes - written); left > 0; left -= TextTemplate.MaxText)
            text.Append(CultureInfo.InvariantCulture, $"{{{{random:text:{Math.Min(left, TextTemplate.MaxText)}}}}}");
        template["text"] = text.ToString();
        var fields = DocumentFieldsOf("template", template);
        foreach (var (path, value) in PartitionKeyOption.KeyFieldsOf(option))
            fields[path] = value?.DeepClone();
        return fields;
    }

    public static JsonObject DocumentFieldsOf(string kind, JsonObject? template = null)
    {
        var document = new JsonObject { ["kind"] = kind };
        if (template is not null)
            document["template"] = template;
        return new JsonObject { ["document"] = document };
    }
}
