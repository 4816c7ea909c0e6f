namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>
/// Checks the rules between an experiment's fields: unique names, the number of runs, and that every variant makes a valid run.
/// </summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class ExperimentSpecRules(ExperimentSpec spec, RunTarget target, ReadingContext context)
{
    private const string OwnId = "the ids of runs are made from the experiment's id";

    public void Check()
    {
        Reject(spec.Base, "base");
        if (spec.Limit is { } limit)
        {
            new LimitSpecRules(spec, limit, target, context).Check();
            return;
        }

        if (spec.Variants.Count == 0 && !context.IsInvalid("variants") && !context.IsInvalid("limit"))
            context.Add("variants", "is missing");
        if (context.IsInvalid("variants"))
            return;
        CheckNames();
        var runs = (long)spec.Variants.Count * spec.Repeats;
        context.Rule(runs > ExperimentSpec.MaxRuns, "repeats",
            $"{spec.Repeats} repeats of {spec.Variants.Count} variants are {runs} runs; at most {ExperimentSpec.MaxRuns}");
        CheckRuns();
    }

    private void CheckNames()
    {
        var seen = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        for (var i = 0; i < spec.Variants.Count; i++)
        {
            var path = $"{SpecPath.Item("variants", i)}.name";
            if (!context.IsInvalid(path) && !seen.TryAdd(spec.Variants[i].Name, i))
                context.Add(
                    path,
                    $"{ErrorText.Quote(spec.Variants[i].Name)} is the name of {SpecPath.Item("variants", seen[spec.Variants[i].Name])} too",
                    beyondSchema: true);
        }
    }

    private void CheckRuns()
    {
        if (context.IsInvalid("base"))
            return;
        var ofBase = RunSpecReader.Read(spec.Base, target).Errors;
        var specs = new Dictionary<string, RunSpec>(StringComparer.Ordinal);
        for (var i = 0; i < spec.Variants.Count; i++)
        {
            var path = SpecPath.Item("variants", i);
            var changePath = $"{path}.change";
            if (context.IsInvalid(changePath))
                continue;
            var change = spec.Variants[i].Change;
            Reject(change, changePath);
            var reading = RunSpecReader.Read(PlanMerge.From(spec.Base, change), target);
            foreach (var error in reading.Errors)
                Add(error, ofBase, change, path, changePath);
            if (reading.Value is { } variant)
                specs.TryAdd(spec.Variants[i].Name, variant);
        }

        // Findings refer to variants, so they are checked only if all variants are valid.
        if (context.Errors.Count == 0)
            CheckFindings(specs);
    }

    private void CheckFindings(Dictionary<string, RunSpec> specs)
    {
        foreach (var error in FindingRules.Check(spec.Findings, specs))
            context.Add(error.Path, error.Message, error.BeyondSchema);
    }

    /// <summary>
    /// Reports an error of a variant's run at the field that causes it: in the change, in the base, or, if only their combination is
    /// invalid, at the variant.
    /// </summary>
    private void Add(ValidationError error, IReadOnlyList<ValidationError> ofBase, JsonObject change, string path, string changePath)
    {
        var (place, message) = Gives(change, error.Path) ? ($"{changePath}.{error.Path}", error.Message)
            : ofBase.Contains(error) ? ($"base.{error.Path}", error.Message)
            : (path, $"with the base, {error}");
        if (place == path ? context.Errors.All(known => known.Path != place || known.Message != message) : !context.IsInvalid(place))
            context.Add(place, message, beyondSchema: true);
    }

    private void Reject(JsonObject change, string path) => context.Rule(change["id"] is not null, $"{path}.id", OwnId);

    /// <summary>Whether a change sets the field at a path, or a value that contains the field.</summary>
    private static bool Gives(JsonObject change, string path)
    {
        JsonNode at = change;
        foreach (var name in path.Split(['.', '['], StringSplitOptions.RemoveEmptyEntries))
        {
            if (at is not JsonObject inner)
                return true;
            if (inner[name] is not { } next)
                return false;
            at = next;
        }

        return path.Length > 0;
    }
}
