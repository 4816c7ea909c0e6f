using ScaleOut.Analysis.Limits;
using ScaleOut.Analysis.Reports.FailIf;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Api.Specs;

/// <summary>
/// A condition under which a run or an experiment fails although it is complete. It is validated before the job begins.
/// </summary>
public sealed class FailIfCondition
{
    private readonly FailIfExpression _expression;
    private readonly IReadOnlyCollection<string> _names;

    private FailIfCondition(FailIfExpression expression, IReadOnlyCollection<string> names) => (_expression, _names) = (expression, names);

    /// <summary>The condition as the user gave it.</summary>
    public string Text => _expression.Text;

    /// <summary>Parses a condition. The condition is null if and only if there are errors.</summary>
    /// <param name="names">Names of the figures that a report of this kind can have. If null, names are not checked.</param>
    public static (FailIfCondition? Condition, IReadOnlyList<string> Errors) Parse(string text, IReadOnlyCollection<string>? names)
    {
        var reading = FailIfExpression.Parse(text, names);
        if (reading.Value is not { } expression)
            return (null, [.. reading.Errors.Select(error => error.ToString())]);
        var errors = (names is null ? [] : expression.UnknownNames(names)).Concat(expression.Constants()).ToList();
        return errors.Count == 0
            ? (new FailIfCondition(expression, names ?? []), [])
            : (null, [.. errors.Select(error => error.ToString())]);
    }

    /// <summary>Comparisons that are probably inverted, such as a p99 below a bound, as sentences.</summary>
    public IReadOnlyList<string> Warnings => LimitNumbers.ProbablyInverted(_expression);

    /// <inheritdoc cref="FailIfExpression.Decide"/>
    /// <param name="numbers">Figures of a report. Figures that were not measured may be missing.</param>
    public bool? Decide(IReadOnlyDictionary<string, double?> numbers, Func<string, Interval?> openIn) =>
        _expression.Decide(AllOf(numbers), openIn);

    /// <inheritdoc cref="FailIfExpression.Describe"/>
    /// <param name="numbers">As for <see cref="Decide"/>.</param>
    public string Describe(IReadOnlyDictionary<string, double?> numbers) => _expression.Describe(AllOf(numbers));

    private Dictionary<string, double?> AllOf(IReadOnlyDictionary<string, double?> numbers)
    {
        var all = _names.ToDictionary(name => name, double? (_) => null);
        foreach (var (name, value) in numbers)
            all[name] = value;
        return all;
    }
}

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
            : (text, FailIfCondition.Parse(text, names).Errors.Select(error => new ValidationError(Parameter, error)));
    }
}
