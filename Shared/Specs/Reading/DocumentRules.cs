namespace ScaleOut.Specs.Reading;

/// <summary>Rules for a spec's documents and their partition key that span several fields.</summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class DocumentRules(RunSpec spec, ReadingContext checks)
{
    /// <summary>Characters that the SDK restricts in ids (<c>Resource.Id</c>), because they have a meaning in paths.</summary>
    private const string NotInPaths = "/\\?#";

    /// <summary>Standard deviations above the mean that a batch of several kinds of documents must have room for.</summary>
    private const double BatchDeviations = 4;

    private readonly DocumentSpec _document = spec.Document;
    private readonly string _kind = EnumNames.NameOf(spec.Document.Kind);

    public void Check()
    {
        OnlyWith("csv", _document.Csv is not null, DocumentKind.Csv);
        OnlyWith("columns", _document.Columns is not null, DocumentKind.Csv, DocumentKind.Flights);
        OnlyWith("keyColumn", _document.KeyColumn is not null, DocumentKind.Csv, DocumentKind.Flights);
        OnlyWith("onBrokenRow", _document.OnBrokenRow is not null, DocumentKind.Csv);
        OnlyWith("template", _document.Template is not null, DocumentKind.Template);
        OnlyWith("kinds", _document.Kinds is not null, DocumentKind.Mixed);
        Needs(DocumentKind.Mixed, "kinds", _document.Kinds is null);
        Needs(DocumentKind.Csv, "csv", _document.Csv is null);
        Needs(DocumentKind.Csv, "keyColumn", _document.KeyColumn is null);
        Needs(DocumentKind.Template, "template", _document.Template is null);
        CheckColumns();
        if (_document.Kind == DocumentKind.Template)
            CheckTemplate(_document.Template, "document.template");
        CheckKinds();
        CheckKey();
        CheckBatchBytes();
    }

    private void OnlyWith(string field, bool given, params DocumentKind[] kinds) =>
        checks.Rule(given && !kinds.Contains(_document.Kind), $"document.{field}",
            $"only with kind {string.Join(" or ", kinds.Select(kind => EnumNames.NameOf(kind)))}, not with {_kind}", "document.kind");

    private void Needs(DocumentKind kind, string field, bool missing) =>
        checks.Rule(_document.Kind == kind && missing, $"document.{field}", $"is missing: kind {_kind} needs it", "document.kind");

    private void CheckColumns()
    {
        if (_document.Kind != DocumentKind.Flights)
            return;
        for (var i = 0; i < _document.Columns?.Count; i++)
            CheckColumn(SpecPath.Item("document.columns", i), _document.Columns[i]);
        if (_document.KeyColumn is { } key)
            CheckColumn("document.keyColumn", key);
    }

    private void CheckColumn(string path, string column)
    {
        if (FlightColumns.All.Contains(column) || checks.IsInvalid(path))
            return;
        var meant = NearestName.From(column, FlightColumns.All);
        var advice = meant is null ? $"they have {string.Join(", ", FlightColumns.All)}" : $"did you mean '{meant}'?";
        checks.Add(path, $"generated rows have no column {ErrorText.Quote(column)}; {advice}", beyondSchema: true);
    }

    private void CheckKinds()
    {
        if (_document.Kinds is not { } kinds || checks.IsInvalid("document.kinds"))
            return;
        checks.Rule(
            spec.Workload.Kind.UsesTables(), "document.kinds", "not with kind tableBatch, whose rows are all alike", "workload.kind");
        for (var i = 0; i < kinds.Count; i++)
        {
            var (path, part) = (SpecPath.Item("document.kinds", i), kinds[i]);
            if (checks.IsInvalid(path) || checks.IsInvalid($"{path}.kind"))
                continue;
            checks.Rule(part.Kind is DocumentKind.Csv or DocumentKind.Flights or DocumentKind.Mixed, $"{path}.kind",
                $"is perfTest, device or template, not {EnumNames.NameOf(part.Kind)}");
            checks.Rule(part.Kind == DocumentKind.Template && part.Template is null, $"{path}.template",
                "is missing: kind template needs it");
            checks.Rule(part.Kind != DocumentKind.Template && part.Template is not null, $"{path}.template",
                $"only with kind template, not with {EnumNames.NameOf(part.Kind)}");
            CheckTemplate(part.Template, $"{path}.template");
        }

        if (!checks.IsInvalidWithin("document.kinds"))
            CheckIds(kinds);
    }

    /// <summary>
    /// Two templates whose ids differ could give two numbers the same id, unless these begin with texts neither of which begins with the
    /// other. Without an id, a template gets a guid.
    /// </summary>
    private void CheckIds(IReadOnlyList<DocumentPart> kinds)
    {
        var ids = kinds.Select(one => (string?)JsonNode.Parse(one.Template ?? "{}")!["id"]).ToList();
        for (var i = 0; i < ids.Count; i++)
        {
            var own = ids[i];
            var others = ids.Take(i).OfType<string>().Where(before => before != own);
            checks.Rule(own is not null && others.Any(before => AreAlike(LeadOf(before), LeadOf(own))),
                $"{SpecPath.Item("document.kinds", i)}.template.id",
                "may be the id of another kind's document: begin the ids of the kinds with different texts, such as \"order-\", or leave "
                    + "them out");
        }

        static string LeadOf(string id) => id.Split("{{")[0];

        static bool AreAlike(string one, string other) =>
            one.StartsWith(other, StringComparison.Ordinal) || other.StartsWith(one, StringComparison.Ordinal);
    }

    /// <param name="field">Path of the field with the template.</param>
    private void CheckTemplate(string? template, string field)
    {
        if (template is null || checks.IsInvalid(field))
            return;
        using var json = JsonDocument.Parse(template);
        var compiled = DocumentTemplate.Compile(json.RootElement, field, (at, message) => checks.Add(at, message, beyondSchema: true));
        var id = compiled.Texts.GetValueOrDefault("id") ?? [];
        checks.Rule(
            id.Any(part => part.Choices.Append(part.Text).Any(text => text.AsSpan().IndexOfAny(NotInPaths) >= 0))
                && spec.Workload.Shares.Any(one => one.Kind is WorkloadKind.Read or WorkloadKind.Patch or WorkloadKind.Replace
                    or WorkloadKind.Delete)
                && Enumerable.Range(0, spec.Workers).Any(worker => spec.SettingsOf(worker).ConnectionMode == ConnectionMode.Gateway),
            $"{field}.id",
            $"has one of {NotInPaths}, and through Gateway no document with such an id can be addressed; use Direct",
            "client.connectionMode", "workload.kind");
    }

    private void CheckKey()
    {
        string[] sources = ["document.kind", "document.template", "document.keyColumn", "document.columns", "document.kinds"];
        if (sources.Any(checks.IsInvalidWithin))
            return;
        var shape = DocumentShape.From(_document);
        checks.Rule(shape.PartitionKeyPaths.Count == 0, "document.kinds", "have no property in common that can be the partition key");
        if (shape.PartitionKeyPaths.Count == 0)
            return;
        checks.Rule(spec.Container.PartitionKeyPaths is not null && spec.Container.PartitionKeyPath is not null,
            "container.partitionKeyPaths", "not beside partitionKeyPath: give one of the two", "container.partitionKeyPath");
        if (spec.Container.PartitionKeyPaths is not { } levels)
            CheckKeyPath("container.partitionKeyPath", spec.Container.KeyPathsFor(_document)[0], shape, level: false);
        else if (!checks.IsInvalid("container.partitionKeyPaths"))
        {
            for (var i = 0; i < levels.Count; i++)
                CheckKeyPath(SpecPath.Item("container.partitionKeyPaths", i), levels[i], shape, level: true);
        }
    }

    /// <param name="field">Path of the field that names the key.</param>
    /// <param name="level">Whether it is a level of a hierarchical key.</param>
    private void CheckKeyPath(string field, string path, DocumentShape shape, bool level)
    {
        if (checks.IsInvalid(field))
            return;
        List<string> known = [.. shape.PartitionKeyPaths, .. level ? shape.LevelPaths : []];
        checks.Rule(!known.Contains(path), field,
            $"{ErrorText.Quote(path)} cannot be {(level ? "a level of " : "")}the key of {_kind} documents{WhyNoKey(path)}; "
                + $"{string.Join(" and ", known)} can");
        checks.Rule(known.Contains(path) && !shape.BatchKeyPaths.Contains(path) && spec.Workload.DocumentsPerOperation > 1,
            field,
            shape.LevelPaths.Contains(path) ? $"{path} is not the same in all documents of a batch, which needs one key"
                : path == DocumentShape.UniquePath || _document.Kind is not (DocumentKind.Template or DocumentKind.Mixed)
                ? $"{path} differs in every document, but a batch needs one key for all of its"
                : $"{path} is not {{{{key}}}} in the template, but a batch needs one key for all of its documents", "workload.kind",
                "workload.batchSize");
    }

    /// <summary>The service rejects a larger batch with 413, and all of its documents are lost.</summary>
    private void CheckBatchBytes()
    {
        const int Megabyte = 1024 * 1024;
        if (spec.Workload.Kind != WorkloadKind.Batch || checks.IsInvalidWithin("document")
            || DocumentShape.TryFrom(_document) is not { } shape)
            return;
        var (count, most) = (spec.Workload.DocumentsPerOperation, CosmosLimits.MaxMegabytesPerBatch * Megabyte);
        var variance = DocumentMix.ByKind(spec)
            .Sum(one => one.Share * Math.Pow(DocumentShape.From(one.Spec.Document).Bytes - (double)shape.Bytes, 2));
        // Each document of a batch is drawn from the kinds.
        double BytesOf(int documents) => (documents * (double)shape.Bytes) + (BatchDeviations * Math.Sqrt(documents * variance));
        checks.Rule(
            BytesOf(count) > most, "workload.batchSize",
            $"{count} documents of about {shape.Bytes:#,0} bytes {(variance > 0 ? "may be" : "are")} "
                + $"{BytesOf(count) / Megabyte:0.00} MB, and a transactional batch has at most {CosmosLimits.MaxMegabytesPerBatch} MB: "
                + $"at most {Enumerable.Range(1, count).Count(documents => BytesOf(documents) <= most)} of them",
            "workload.kind");
    }

    /// <summary>Says what a template's property holds if it is not a text, and how it becomes one. Empty if it does not exist.</summary>
    private string WhyNoKey(string path)
    {
        if (_document is not { Kind: DocumentKind.Template, Template: { } template }
            || !DocumentTemplate.Compile(template).Others.TryGetValue(path[1..], out var other))
            return "";
        return $": its value is {other}, and the key of a template is a text, such as \"c-{{{{random:int:1:100}}}}\"";
    }
}
