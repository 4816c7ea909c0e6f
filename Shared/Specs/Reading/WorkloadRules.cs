namespace ScaleOut.Specs.Reading;

/// <summary>Rules for a spec's workload that span several fields.</summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class WorkloadRules(RunSpec spec, ReadingContext checks)
{
    private static readonly string[] Measures = ["users", "concurrency", "rate"];

    /// <summary>What an override can change.</summary>
    private static readonly string[] OverrideFields = ["client", "mix", "requestUnitRate"];

    private readonly WorkloadSpec _workload = spec.Workload;
    private readonly string _kind = EnumNames.NameOf(spec.Workload.Kind);

    /// <summary>Whether no step of an action is invalid, on which rules of other fields rest.</summary>
    private bool KnowsSteps => !checks.IsInvalidWithin("workload.action");

    public void Check()
    {
        CheckMix();
        CheckAction();
        CheckWorkers();
        CheckBatchSize();
        CheckPreload();
        CheckQuery();
        CheckSteps();
    }

    private void CheckMix()
    {
        checks.Rule(_workload.Kind == WorkloadKind.Mix && _workload.Mix is null, "workload.mix", "is missing: kind mix needs it",
            "workload.kind");
        if (_workload.Mix is not { } mix || checks.IsInvalidWithin("workload.mix"))
            return;
        checks.Rule(_workload.Kind != WorkloadKind.Mix, "workload.mix", $"only with kind mix, not with {_kind}", "workload.kind");
        checks.Rule(mix.Weights.Count == 0, "workload.mix", "all weights are 0");
        checks.Rule(mix.Weights.Any(one => one.Kind.NeedsDocuments()) && spec.Container.Name is not null, "container.name",
            "not beside a mix that has more than inserts and upserts: its documents are written into a container of the run's own",
            "workload.mix");
    }

    private void CheckAction()
    {
        const string Action = "workload.action";
        checks.Rule(_workload.Kind == WorkloadKind.Action && _workload.Action is null, Action, "is missing: kind action needs it",
            "workload.kind");
        if (_workload.Action is not { } steps || !KnowsSteps)
            return;
        checks.Rule(_workload.Kind != WorkloadKind.Action, Action,
            _workload.Mix is null ? $"only with kind action, not with {_kind}" : "not beside workload.mix: a run has one of the two",
            "workload.kind");
        for (var i = 0; i < steps.Count; i++)
        {
            var kind = EnumNames.NameOf(steps[i]);
            checks.Rule(!steps[i].IsStep(), SpecPath.Item(Action, i),
                $"{kind} is no step of an action, which has {string.Join(", ", Enum.GetValues<WorkloadKind>()
                    .Where(WorkloadKinds.IsStep).Select(step => EnumNames.NameOf(step)))}");
            checks.Rule(steps[i] == WorkloadKind.Delete
                && steps.Where((other, at) => at != i && other.NeedsDocuments()).Any(other => other != WorkloadKind.Query),
                SpecPath.Item(Action, i),
                "not beside reads, patches, replaces and other deletes: an action that is done again would not find its document");
        }

        checks.Rule(_workload is { NeedsDocuments: true, LeavesCount: false } && spec.Container.Name is not null, "container.name",
            "not beside an action that writes or deletes documents and works on others: these are written into a container of the run's "
                + "own",
            Action);
    }

    private void CheckWorkers()
    {
        for (var i = 0; i < spec.WorkerOverrides.Count; i++)
        {
            var path = SpecPath.Item("workerOverrides", i);
            if (checks.IsInvalid(path))
                continue;
            var (mix, pace) = (spec.WorkerOverrides[i].Mix, spec.WorkerOverrides[i].RequestUnitRate);
            checks.Rule(!OverrideFields.Any(field => checks.IsGiven($"{path}.{field}")), path,
                $"says nothing about its workers: give {string.Join(", ", OverrideFields[..^1])} or {OverrideFields[^1]}");
            checks.Rule(pace is not null && _workload.IsPaced, $"{path}.requestUnitRate",
                "not beside a limit on the RU/s of all workers (workload.requestUnitRate, workload.maxRequestUnitShare)",
                "workload.requestUnitRate", "workload.maxRequestUnitShare");
            checks.Rule(pace is not null && _workload.Kind.UsesTables(), $"{path}.requestUnitRate",
                "not with kind tableBatch: a table has no RU/s", "workload.kind");
            if (mix is null || checks.IsInvalidWithin($"{path}.mix") || checks.IsInvalidWithin("workload.mix"))
                continue;
            checks.Rule(mix.Weights.Count == 0, $"{path}.mix", "all weights are 0");
            checks.Rule(_workload.Mix is null, $"{path}.mix", $"only with kind mix, not with {_kind}", "workload.kind");
            foreach (var (kind, _) in mix.Weights.Where(one => _workload.Mix?.ShareOf(one.Kind) == 0))
            {
                checks.Rule(true, $"{path}.mix.{EnumNames.NameOf(kind)}",
                    "is not in workload.mix, which has the kinds of all workers: give it a weight there");
            }

            checks.Rule(_workload.Choose != DocumentOrder.Even, "workload.choose",
                "not beside a mix of single workers, each of which works on the documents of its own numbers");
        }
    }

    private void CheckBatchSize()
    {
        checks.Rule(_workload.BatchSize is not null && !_workload.Kind.WritesBatches() && _workload.OfRun is null,
            "workload.batchSize", $"only with kind batch or tableBatch, not with {_kind}", "workload.kind", "workload.ofRun");
        checks.Rule(_workload.Bulk && _workload.Kind is not (WorkloadKind.Read or WorkloadKind.Delete or WorkloadKind.Mix),
            "workload.bulk", $"only with kind read, delete or mix, not with {_kind}", "workload.kind");

        checks.Rule(_workload.MatchEtag && !_workload.HasReplaces && KnowsSteps, "workload.matchEtag",
            _workload.HasSeveralKinds ? $"the {_kind} has no replaces" : $"only with kind replace, not with {_kind}", "workload.kind",
            "workload.mix");

        var perOperation = _workload.DocumentsPerOperation;
        var operations = (spec.Documents + perOperation - 1) / perOperation;
        var unit = perOperation == 1 ? $"the {operations} documents" : $"the {operations} batches of {perOperation} documents";
        checks.Rule(spec.Workers > operations, "workers", $"{spec.Workers} is more than {unit}", "documents", "workload.kind",
            "workload.batchSize");
    }

    private void CheckPreload()
    {
        var needsDocuments = _workload is { Mix: null, NeedsDocuments: true };
        var onlyWith = _workload.Action is null
            ? $"only with kind read, query, delete, patch or replace, not with {_kind}"
            : "the action has no reads, queries, deletes, patches or replaces";
        checks.Rule(_workload.Preload is not null && !needsDocuments && KnowsSteps, "workload.preload", onlyWith, "workload.kind");
        checks.Rule(_workload.OfRun is not null && !needsDocuments && KnowsSteps, "workload.ofRun", onlyWith, "workload.kind");
        checks.Rule(_workload.OfRun is not null && spec.Container.Name is null, "workload.ofRun",
            "only beside container.name: a container of the run's own is filled by the run itself", "container.name");
        checks.Rule(needsDocuments && spec.Container.Name is not null && _workload.OfRun is null && AddressesDocuments(), "workload.ofRun",
            $"is missing: kind {_kind} needs the id of the run that wrote the documents in container.name", "workload.kind",
            "container.name", "workload.query");
        CheckChoice();
        checks.Rule(
            spec.Documents > RunSpec.MaxWithPreload && _workload is { NeedsDocuments: true, Preload: null } && spec.Container.Name is null,
            "documents",
            $"{spec.Documents:#,0} is more than the {RunSpec.MaxWithPreload:#,0} with which documents are written before the start",
            "workload.kind", "workload.mix", "workload.preload", "container.name");
        checks.Rule(_workload.DeletesEach && _workload.Preload < spec.Documents, "workload.preload",
            $"{_workload.Preload} is less than the {spec.Documents} documents, and each is deleted once", "workload.kind", "documents");
    }

    private void CheckChoice()
    {
        const string Choose = "workload.choose";
        if (_workload.Choose == DocumentOrder.Even)
            return;
        checks.Rule(_workload.DeletesEach, Choose,
            $"not with {(_workload.Action is null ? "kind delete" : "an action that deletes")}: each document is deleted once",
            "workload.kind");
        checks.Rule(_workload.Mix is null && !_workload.NeedsDocuments && KnowsSteps, Choose,
            $"only with kind read, query, patch or replace, or a mix or an action with one of them, not with {_kind}", "workload.kind");
        if (_workload.Mix is not { } mix || checks.IsInvalidWithin("workload.mix"))
            return;
        checks.Rule(!mix.Weights.Any(one => one.Kind.AddressesAnyDocument()), Choose,
            "the mix has no reads, queries, patches or replaces");
        checks.Rule(_workload.Choose == DocumentOrder.Latest && mix is { Insert: 0, Upsert: 0 }, Choose,
            "latest follows the writes of a mix, and this one has no inserts or upserts");
    }

    private void CheckQuery()
    {
        checks.Rule(_workload.Query is not null && !_workload.HasQueries && KnowsSteps, "workload.query",
            _workload.HasSeveralKinds ? $"the {_kind} has no queries" : $"only with kind query, not with {_kind}", "workload.kind",
            "workload.mix");
        checks.Rule(_workload.Query is null && _workload.HasQueries, "workload.query",
            $"is missing: {(_workload.HasSeveralKinds ? $"the queries of the {_kind} need" : "kind query needs")} it", "workload.kind",
            "workload.mix");
        if (_workload.Query is not { } query || checks.IsInvalid("workload.query"))
            return;

        CheckText("workload.query.partitionKey", query.PartitionKey ?? "");
        var names = new HashSet<string>(StringComparer.Ordinal);
        for (var i = 0; i < query.Parameters?.Count; i++)
        {
            var path = SpecPath.Item("workload.query.parameters", i);
            if (checks.IsInvalid($"{path}.name") || checks.IsInvalid($"{path}.value"))
                continue;
            checks.Rule(!names.Add(query.Parameters[i].Name), $"{path}.name", $"{query.Parameters[i].Name} is given twice");
            CheckText($"{path}.value", TextOf(query.Parameters[i]));
        }
    }

    private void CheckText(string path, string text)
    {
        if (checks.IsInvalid(path))
            return;
        var parts = TextTemplate.Parse(
            text, (character, message) => checks.Add(path, $"{message} (at character {character})", beyondSchema: true), ofDocument: true);
        if (checks.IsInvalidWithin("document") || FieldsOf(spec.Document) is not { } fields)
            return;
        foreach (var part in parts.Where(part => part.Kind == PlaceholderKind.Field && !fields.Contains(part.Text)))
        {
            checks.Add(path, $"{EnumNames.NameOf(spec.Document.Kind)} documents have no field {ErrorText.Quote(part.Text)}; "
                + $"they have {string.Join(", ", fields)}", beyondSchema: true);
        }
    }

    /// <summary>Properties at the top level of a document. Null if only a CSV file has their names, or the template is invalid.</summary>
    private static IReadOnlyList<string>? FieldsOf(DocumentSpec document) =>
        document is { Kind: DocumentKind.Csv, Columns: null } || DocumentShape.TryFrom(document) is not { } shape
            ? null
            : [.. shape.Properties.Prepend("id")];

    private void CheckSteps()
    {
        checks.Rule(_workload is { RequestUnitRate: not null, MaxRequestUnitShare: not null }, "workload.maxRequestUnitShare",
            "not beside workload.requestUnitRate, which says the same in RU/s", "workload.requestUnitRate");
        foreach (var (field, given) in new[]
        {
            ("requestUnitRate", _workload.RequestUnitRate), ("maxRequestUnitShare", _workload.MaxRequestUnitShare),
        })
        {
            checks.Rule(given is not null && _workload.Kind.UsesTables(), $"workload.{field}",
                "not with kind tableBatch: a table has no RU/s", "workload.kind");
        }

        checks.Rule(_workload.ThinkTime > TimeSpan.Zero && spec.Client.Rate is not null, "workload.thinkTime",
            "not beside client.rate: an open loop does not wait for responses", "client.rate");
        checks.Rule(_workload.ThinkTime * 2 > spec.LegDuration, "workload.thinkTime",
            $"{DurationText.Format(_workload.ThinkTime)} is more than half of legDuration {DurationText.Format(spec.LegDuration)}: "
                + "operation loops begin again with each leg",
            "legDuration");
        if (_workload.Steps is not { } steps || checks.IsInvalid("workload.steps"))
            return;

        string? measure = null;
        for (var i = 0; i < steps.Count; i++)
        {
            var path = SpecPath.Item("workload.steps", i);
            if (checks.IsInvalid(path) || Measures.Any(field => checks.IsInvalid($"{path}.{field}")))
                continue;
            var step = steps[i];
            var given = (step.Users is null ? 0 : 1) + (step.Concurrency is null ? 0 : 1) + (step.Rate is null ? 0 : 1);
            checks.Rule(given != 1, path, "gives not exactly one of users, concurrency and rate");
            if (given != 1)
                continue;
            measure ??= step.Measure;
            checks.Rule(
                step.Measure != measure, $"{path}.{step.Measure}", $"all steps have the same measure, and the first one has {measure}");
        }

        checks.Rule(measure == "rate" && _workload.ThinkTime > TimeSpan.Zero, "workload.thinkTime",
            "not beside steps with a rate: an open loop does not wait for responses");
        checks.Rule(spec.Client.Rate is not null, "client.rate", "not beside workload.steps, which say the load");
        if (measure is null or "rate")
            return;
        checks.Rule(spec.Client.Concurrency is not null, "client.concurrency", $"not beside workload.steps, which say the {measure}");
        checks.Rule(steps.All(step => (step?.Users ?? step?.Concurrency) == 0), "workload.steps", $"all steps have 0 {measure}");
    }

    /// <summary>Whether the workload needs ids or keys of single documents.</summary>
    private bool AddressesDocuments() => _workload.Shares.Any(one => one.Kind != WorkloadKind.Query && one.Kind.NeedsDocuments())
        || (_workload.Query?.Parameters ?? []).Select(TextOf).Append(_workload.Query?.PartitionKey ?? "")
            .SelectMany(text => TextTemplate.Parse(text, (_, _) => { }, ofDocument: true))
            .Any(part => part.Kind is PlaceholderKind.Id or PlaceholderKind.Key or PlaceholderKind.Unique or PlaceholderKind.Field);

    private static string TextOf(QueryParameterSpec? parameter)
    {
        if (parameter is null)
            return "";
        using var value = JsonDocument.Parse(parameter.Value);
        return value.RootElement.ValueKind == JsonValueKind.String ? value.RootElement.GetString()! : "";
    }
}
