namespace ScaleOut.Api.Specs;

/// <summary>Names of the figures that a fail-if condition may use.</summary>
public static class FailIfNames
{
    /// <summary>Figures of a run of any workload.</summary>
    public static IReadOnlyCollection<string> OfRun => LimitNumbers.Names;

    /// <summary>Figures of a run of the spec, without those of operation kinds that the spec does not have.</summary>
    public static IReadOnlyCollection<string> OfRunOf(RunSpec spec) =>
    [
        .. OfRun.Except(Enum.GetValues<WorkloadKind>().SelectMany(LimitNumbers.NamesOf)),
        .. spec.Workload.Shares.SelectMany(one => LimitNumbers.NamesOf(one.Kind)),
        .. spec.Workload.Action is null ? [] : LimitNumbers.NamesOf(WorkloadKind.Action),
    ];

    /// <summary>Figures of an experiment with variants.</summary>
    public static IReadOnlyCollection<string> OfExperiment => ExperimentNumbers.Names;

    /// <summary>Figures of a search for a limit.</summary>
    public static IReadOnlyCollection<string> OfLimit => [.. LimitNumbers.OfSearch(null).Keys];

    /// <summary>Figures of an experiment: those of a search if it looks for a limit, and those of variants otherwise.</summary>
    public static IReadOnlyCollection<string> From(ExperimentSpec? spec) => spec?.Limit is null ? OfExperiment : OfLimit;

    /// <summary>Figures of an experiment with a claimed spec.</summary>
    public static IReadOnlyCollection<string> OfClaimed(byte[] spec) =>
        From(ExperimentSpecReader.Read(Encoding.UTF8.GetString(spec)).Value);
}

/// <summary>Reads the parameter <c>failIf</c> of a request that starts a job.</summary>
internal static class FailIfRequest
{
    private const string Parameter = "failIf";

    /// <summary>Returns the condition and its errors. The condition is null if the request has none.</summary>
    public static (string? Text, IEnumerable<ValidationError> Errors) Read(HttpContext context, IReadOnlyCollection<string>? names)
    {
        var text = context.Request.Query[Parameter].FirstOrDefault();
        return string.IsNullOrWhiteSpace(text)
            ? (null, [])
            : (text, FailIfExpression.Check(text, names).Errors.Select(error => new ValidationError(Parameter, $"{error}")));
    }
}
