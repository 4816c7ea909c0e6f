namespace ScaleOut.DevBox.Machine;

/// <summary>
/// Checks before a run begins that this machine has what the spec needs: a readable CSV file, open files, memory and cores.
/// </summary>
internal static class MachineChecks
{
    /// <summary>Number of worker processes per core above which they compete for CPU time.</summary>
    internal const int WorkersPerCore = 8;

    /// <summary>What the spec needs that this machine does not have, by the spec's fields.</summary>
    /// <param name="target">
    /// Whether the run has a simulated account on this machine. If that is not decided, no memory is needed for one without simulation.
    /// </param>
    public static IReadOnlyList<ValidationError> ErrorsOf(RunSpec spec, RunTarget target)
    {
        var documents = DocumentErrors(spec);
        // Without documents the need for memory cannot be computed.
        return documents.Count > 0 ? documents : [.. Excesses(spec, target).Select(excess => excess.Error)];
    }

    /// <summary>
    /// What the largest of an experiment's runs needs that this machine does not have. The experiment leaves out variants that want more
    /// cores than there are. A CSV file that cannot be read is an error of any variant.
    /// </summary>
    public static IReadOnlyList<ValidationError> ErrorsOf(ExperimentSpec spec, RunTarget target)
    {
        if (spec.Limit is not null)
        {
            var (path, run) = RunPlanner.DistinctPlansOf(spec)[0];
            return [.. ErrorsOf(run, target).Select(error => error with { Path = $"{path}.{error.Path}" })];
        }

        var runs = spec.Variants.Select((_, variant) => (Variant: variant, Run: GridPlanner.PlanOf(spec, variant))).ToList();
        var documents = runs
            .DistinctBy(planned => JsonSerializer.Serialize(planned.Run.Document, ScaleOutJson.Compact))
            .SelectMany(planned => DocumentErrors(planned.Run)
                .Select(error => error with { Path = $"{PlaceOf(error.Path, planned.Variant)}.{error.Path}" }))
            .Distinct().ToList();
        if (documents.Count > 0)
            return documents;

        var testable = runs.Where(planned => WhyNotTestable(planned.Run) is null);
        return
        [
            .. from planned in testable
               from excess in Excesses(planned.Run, target)
               group (planned.Variant, excess.Error, excess.Need) by excess.Error.Path into ofOneField
               let largest = ofOneField.MaxBy(one => one.Need)
               select largest.Error with
               {
                   Path = $"variants[{largest.Variant}].change.{ofOneField.Key}",
                   Message = $"{largest.Error.Message} (the largest run is of variant '{spec.Variants[largest.Variant].Name}')",
               },
        ];

        // The variant may change another field of the document than the one that has the error.
        string PlaceOf(string path, int variant) =>
            path.Split('.', '[') is [_, var field, ..] && spec.Variants[variant].Change["document"] is JsonObject changed
                && changed.ContainsKey(field) ? $"variants[{variant}].change" : "base";
    }

    /// <summary>What this machine can do, but not as well as the spec asks.</summary>
    public static IReadOnlyList<string> WarningsOf(RunSpec spec)
    {
        List<string> warnings = [];
        if (spec.Workers > WorkersPerCore * Environment.ProcessorCount)
            warnings.Add($"{spec.Workers} worker processes on {Environment.ProcessorCount} cores compete for them; the measured "
                + "values depend more on this machine than on the account.");
        var asked = Enumerable.Range(0, spec.Workers).Sum(worker => spec.SettingsOf(worker).Cores ?? 0);
        var cores = CoreSet.Allowed().Count;
        if (asked > 0 && !CoreSet.IsSupported)
            warnings.Add("client.cores: processes cannot be bound to cores on this system; it has no effect.");
        else if (asked > cores)
            warnings.Add($"client.cores: the workers ask for {asked} cores together, and this machine has {cores}: they share them.");
        return warnings;
    }

    /// <summary>Why the run's documents cannot be read from its CSV file.</summary>
    public static IReadOnlyList<ValidationError> DocumentErrors(RunSpec spec)
    {
        if (spec.Document.Csv is null)
            return [];
        try
        {
            CsvTable.Read(spec.Document);
            return [];
        }
        catch (DocumentException e)
        {
            return e.Errors;
        }
    }

    /// <summary>Why a run cannot be measured on this machine; null if it can.</summary>
    public static string? WhyNotTestable(RunSpec spec)
    {
        var needed = Enumerable.Range(0, spec.Workers).Max(worker => spec.SettingsOf(worker).Cores);
        return needed > Environment.ProcessorCount
            ? $"it needs {needed} cores per worker; this machine has {Environment.ProcessorCount}"
            : null;
    }

    /// <summary>Needs that exceed a limit of this machine, with an error for each.</summary>
    private static IEnumerable<(ValidationError Error, long Need)> Excesses(RunSpec spec, RunTarget target)
    {
        target = spec.TargetAmong(target);
        var files = OpenFileNeed.From(spec, target);
        if (OpenFileLimit.Read() is { } limit && files.Files > limit)
            yield return (
                new ValidationError("workers", OpenFileLimit.Describe(files.Process, files.Files, limit), BeyondSchema: true), files.Files);
        var mayUseAnotherAccount = target == RunTarget.Undecided && spec.Simulation is null;
        var memory = target == RunTarget.OtherAccount || mayUseAnotherAccount ? null : MemoryNeed.From(spec);
        if (memory?.Excess() is { } excess)
            yield return (new ValidationError(memory.Field, excess, BeyondSchema: true), memory.AccountBytes);
        else if (MemoryNeed.WorkerExcess(spec, memory?.AccountBytes ?? 0) is { } tooMany)
            yield return (new ValidationError("workers", tooMany, BeyondSchema: true), spec.Workers);
    }
}
