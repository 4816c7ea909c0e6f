namespace ScaleOut.Specs.Reading;

/// <summary>Rules for a spec that writes to Table storage: the limits of tables, and fields that have no meaning there.</summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class TableBatchRules(RunSpec spec, ReadingContext checks)
{
    private const string Kind = "workload.kind";

    /// <summary>Settings that only clients of Cosmos DB have.</summary>
    private static readonly string[] OfCosmos =
    [
        "maxRequestsPerConnection", "idleConnectionTimeout", "requestTimeout", "priority", "throughputBucket", "preferredRegion",
    ];

    public void Check()
    {
        if (!spec.Workload.Kind.UsesTables())
            return;
        CheckUnused();
        CheckClient("client", spec.Client);
        for (var i = 0; i < spec.WorkerOverrides.Count; i++)
        {
            var path = SpecPath.Item("workerOverrides", i);
            if (!checks.IsInvalid(path))
                CheckClient($"{path}.client", spec.WorkerOverrides[i].Client);
        }

        CheckEntities();
    }

    private void CheckUnused()
    {
        var container = spec.Container;
        checks.Rule(container.Name is not null, "container.name", "not with kind tableBatch: a run has a table of its own", Kind);
        checks.Rule(container.PartitionKeyPaths is not null, "container.partitionKeyPaths",
            "not with kind tableBatch: the partition key of a table is one property", Kind);
        foreach (var (field, isDefault) in container.OwnSettings.Where(setting => setting.Field != "keep"))
        {
            var reason = field switch
            {
                "throughput" or "throughputSteps" or "autoscale" => "has no provisioned RU/s",
                "timeToLive" => "keeps its entities",
                _ => "is indexed by its keys alone",
            };
            checks.Rule(!isDefault, $"container.{field}", $"not with kind tableBatch: a table {reason}", Kind);
        }

        checks.Rule(spec.Simulation is not null, "simulation", "not with kind tableBatch: the simulated account has no tables", Kind);
    }

    private void CheckClient(string path, ClientSpec client)
    {
        checks.Rule(client.Consistency is not null, $"{path}.consistency",
            "not with kind tableBatch: tables are strongly consistent", Kind);
        checks.Rule(client.ContentResponseOnWrite == true, $"{path}.contentResponseOnWrite",
            "not with kind tableBatch: no entity is asked back", Kind);
        foreach (var field in SpecField.From(typeof(ClientSpec)).Where(field => OfCosmos.Contains(field.Name)))
            checks.Rule(field.ValueIn(client) is not null, $"{path}.{field.Name}",
                "not with kind tableBatch: it is a setting of clients of Cosmos DB", Kind);
    }

    private void CheckEntities()
    {
        if (checks.IsInvalidWithin("document") || checks.IsInvalid("container.partitionKeyPath")
            || DocumentShape.TryFrom(spec.Document) is not { } shape)
            return;
        var field = spec.Document.Kind == DocumentKind.Template ? "document.template"
            : spec.Document.Columns is not null ? "document.columns" : "document.kind";
        var key = spec.Container.KeyPathsFor(spec.Document)[0].TrimStart('/');
        var names = shape.Properties.Where(name => name != key).ToList();
        checks.Rule(names.Count > TableLimits.Properties, field,
            $"has {names.Count} properties beside the keys; an entity has at most {TableLimits.Properties}", Kind);
        foreach (var name in names)
        {
            checks.Rule(TableLimits.SystemProperties.Contains(name), PathOf(name, field),
                $"every entity has a property {ErrorText.Quote(name)} already", Kind, "container.partitionKeyPath");
            checks.Rule(!TableLimits.IsPropertyName(name), PathOf(name, field),
                $"{ErrorText.Quote(name)} cannot be the name of a property: it begins with a letter or _, has letters, digits and _, and "
                    + "at most 255 characters",
                Kind);
        }

        checks.Rule(shape.Bytes > TableLimits.EntityBytes, field,
            $"documents have about {shape.Bytes} bytes; an entity has at most {TableLimits.EntityBytes}", Kind);
        foreach (var (name, length) in LongestTexts().Where(text => text.Length > TableLimits.TextCharacters))
            checks.Rule(true, PathOf(name, field),
                $"may have {length} characters; a text of an entity has at most {TableLimits.TextCharacters}", Kind);
        var batch = (long)spec.Workload.DocumentsPerOperation * (shape.Bytes + TableLimits.BytesPerPart);
        checks.Rule(batch > TableLimits.BatchBytes, "workload.batchSize",
            $"{spec.Workload.DocumentsPerOperation} documents of about {shape.Bytes} bytes are {batch} bytes with their headers; an entity "
                + $"group transaction has at most {TableLimits.BatchBytes}",
            Kind, field);
    }

    /// <summary>Path of the field that declares a property, so that each property has errors of its own.</summary>
    private string PathOf(string name, string field) =>
        field == "document.template" ? SpecPath.Field(field, name)
        : spec.Document.Columns?.ToList().IndexOf(name) is >= 0 and var index ? SpecPath.Item("document.columns", index)
        : field;

    /// <summary>Maximum length of each text at the top level of a template.</summary>
    private IEnumerable<(string Name, int Length)> LongestTexts() => spec.Document.Template is { } template
        ? DocumentTemplate.Compile(template).Texts.Select(text => (text.Key, text.Value.Sum(TemplateSize.Most)))
        : [];
}
