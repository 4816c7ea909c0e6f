namespace ScaleOut.Api.Specs;

/// <summary>
/// Checks a spec against <see cref="HostRules"/>. The throughput of a named container is not limited, because a run does not change it. A
/// host never opens local files on behalf of a caller, because errors and documents would reveal their content.
/// </summary>
internal static class HostRuleChecks
{
    private const string WorkersPath = "workers";
    private const string ThroughputPath = "container.throughput";
    private const string StepsPath = "container.throughputSteps";
    private const string CsvPath = "document.csv";

    /// <summary>Errors for the rules that a valid spec breaks.</summary>
    public static IEnumerable<ValidationError> Errors(HostRules rules, RunSpec spec) =>
        [.. ErrorsOfFields(rules, spec), .. TooMuchTelemetry(rules, spec)];

    private static IEnumerable<ValidationError> ErrorsOfFields(HostRules rules, RunSpec spec) =>
    [
        .. Over(rules.Workers, WorkersPath, spec.Workers, ""),
        .. TooManyAtOnce(rules, spec.Workers),
        .. spec.Container.Name is null && !spec.Workload.Kind.UsesTables()
            ? Over(rules.RequestUnitsPerSecond, ThroughputPath, spec.Container.Throughput, " RU/s")
            : [],
        .. spec.Container.ThroughputSteps is { Count: > 0 } steps ? ErrorsOfSteps(rules, spec.Container, steps) : [],
        .. spec.Document.Csv is null
            ? Array.Empty<ValidationError>()
            : [new ValidationError(CsvPath, "a server reads no files of its own machine; a run of the command line does")],
    ];

    /// <summary>Errors for the rules that an invalid spec breaks, so that a user gets all errors at once.</summary>
    /// <param name="known">The spec's other errors. Values with an error are not checked again.</param>
    public static IEnumerable<ValidationError> Errors(HostRules rules, JsonObject fields, IReadOnlyList<ValidationError> known)
    {
        var defaults = new RunSpec();
        var container = fields["container"] as JsonObject;
        var spec = defaults with
        {
            Workers = Number(fields[WorkersPath]) ?? defaults.Workers,
            Document = defaults.Document with { Csv = (fields["document"] as JsonObject)?["csv"] is null ? null : "" },
            Container = defaults.Container with
            {
                Throughput = Number(container?["throughput"]) ?? defaults.Container.Throughput,
                ThroughputSteps = container?["throughputSteps"] is JsonArray { Count: > 0 } steps
                    ? [.. steps.Select(step => new ThroughputStep { Throughput = Number((step as JsonObject)?["throughput"]) ?? 0 })]
                    : [],
                Database = container?["database"] is null ? defaults.Container.Database : "",
                Name = container?["name"] is null && !IsTableBatch(fields) ? null : "",
            },
        };
        return ErrorsOfFields(rules, spec).Where(
            error => !known.Any(other => other.Path == error.Path || error.Path.StartsWith(other.Path + ".", StringComparison.Ordinal)));
    }

    /// <summary>
    /// Rejects a run that writes to tables if the host has no table account. An experiment leaves out such variants when it runs.
    /// </summary>
    public static IEnumerable<ValidationError> TableErrors(HostRules rules, RunSpec spec)
    {
        if (spec.Workload.Kind.UsesTables() && !rules.HasTables)
            yield return new ValidationError(
                "workload.kind", "tableBatch writes to Table storage, and this server has no table account; the setting TABLE_ACCOUNT "
                    + "(a program's --table-account) gives it one");
    }

    /// <summary>Warns of a job whose telemetry may be more than what is kept of a day.</summary>
    /// <param name="runs">Its runs, which go one after the other. Nothing is known of a job with a run whose time is not known.</param>
    public static IEnumerable<string> Warnings(HostRules rules, IEnumerable<RunSpec> runs)
    {
        if (rules.TelemetryGigabytesPerDay is not { } quota)
            yield break;
        double gigabytes = 0, days = 0;
        foreach (var run in runs)
        {
            if (RunEstimate.From(run, rules.Target).Seconds is not { } seconds)
                yield break;
            gigabytes += RunUsage.From(run, seconds).TelemetryGigabytes;
            days += seconds / RunUsage.SecondsPerDay;
        }

        var perDay = gigabytes / Math.Max(1, days);
        if (perDay > quota.Value)
            yield return $"{quota.Setting}: its telemetry may be up to {perDay.ToString("0.0", CultureInfo.InvariantCulture)} GB in "
                + $"a day, and only {quota.Value} GB of a day are kept. What follows is lost, so that the workbook and the alerts see "
                + "nothing until the next day. A larger value of the setting, fewer workers or a shorter time avoid that.";
    }

    /// <summary>Rejects a run whose telemetry is more than what is kept of a day, even if no operation is slow.</summary>
    private static IEnumerable<ValidationError> TooMuchTelemetry(HostRules rules, RunSpec spec)
    {
        if (rules.TelemetryGigabytesPerDay is not { } quota || RunEstimate.From(spec, rules.Target).Seconds is not { } seconds)
            yield break;
        var perDay = RunUsage.From(spec, seconds).LeastTelemetryGigabytes / Math.Max(1, seconds / RunUsage.SecondsPerDay);
        if (perDay > quota.Value)
            yield return new ValidationError(
                WorkersPath,
                $"the telemetry of {spec.Workers} workers is at least {perDay:0.0} GB in a day of this run, and only {quota.Value} GB "
                    + $"of a day are kept; ask for fewer workers or a shorter run, or raise the setting {quota.Setting}");
    }

    private static IEnumerable<ValidationError> ErrorsOfSteps(
        HostRules rules, ContainerSpec container, IReadOnlyList<ThroughputStep> steps)
    {
        foreach (var error in steps.SelectMany((step, at) =>
            Over(rules.RequestUnitsPerSecond, $"{SpecPath.Item(StepsPath, at)}.throughput", step.Throughput, " RU/s")))
            yield return error;
        if (rules.ThroughputIsFixed && container.Database == ContainerSpec.DefaultDatabase)
            yield return new ValidationError(
                StepsPath,
                "this server's identity may not change RU/s: its role on the database lacks the action "
                    + "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/write; leave the steps out, or "
                    + "give it the role of infra/app/role.bicep (a new assignment takes effect after some minutes)");
    }

    private static IEnumerable<ValidationError> TooManyAtOnce(HostRules rules, int workers)
    {
        // If both limits are equal, the other error already reports the problem.
        if (rules.WorkersAtOnce is { } limit && workers > limit.Value && limit.Value != rules.Workers?.Value)
            yield return new ValidationError(
                WorkersPath,
                $"{workers} workers cannot start together, because this server runs at most {limit.Value} at once; ask for fewer, or "
                    + $"raise the setting {limit.Setting} if there are instances for them");
    }

    private static IEnumerable<ValidationError> Over(SettingLimit? limit, string path, int value, string unit)
    {
        if (limit is not null && value > limit.Value)
            yield return new ValidationError(
                path, $"{value} is more than this server's limit of {limit.Value}{unit}; the setting {limit.Setting} raises it");
    }

    private static bool IsTableBatch(JsonObject fields) =>
        (fields["workload"] as JsonObject)?["kind"] is JsonValue kind && kind.TryGetValue(out string? name) && name == "tableBatch";

    private static int? Number(JsonNode? node) =>
        node is JsonValue value && value.TryGetValue(out double number) && number is >= int.MinValue and <= int.MaxValue
            ? (int)number
            : null;
}
