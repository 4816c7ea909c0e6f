namespace ScaleOut.Api.Specs;

/// <summary>The parameter <c>failIf</c> of a start: the condition under which what is started fails, kept beside its spec.</summary>
internal static class FailIfRequest
{
    private const string Parameter = "failIf";

    /// <summary>Reads the condition of a request, null without one, and its errors.</summary>
    public static (string? Text, IEnumerable<ValidationError> Errors) Read(HttpContext context, IReadOnlyCollection<string>? names)
    {
        var text = context.Request.Query[Parameter].FirstOrDefault();
        return string.IsNullOrWhiteSpace(text)
            ? (null, [])
            : (text, FailIfCondition.Parse(text, names).Errors.Select(error => new ValidationError(Parameter, error)));
    }

    /// <summary>What a kept condition says of a report; null where none was given.</summary>
    /// <param name="isComplete">Whether it is complete: of anything else the condition says nothing.</param>
    /// <param name="numbers">Reads them from the report's JSON.</param>
    public static async Task<FailIfState?> StateAsync(
        RunFiles files, bool isComplete, IReadOnlyCollection<string>? names, Func<byte[], IReadOnlyDictionary<string, double?>> numbers,
        CancellationToken cancellationToken)
    {
        if (await files.ReadFailIfAsync(cancellationToken) is not { } text)
            return null;
        if (!isComplete || await files.ReadReportAsync(RunFiles.ReportName, cancellationToken) is not { } report)
            return new FailIfState(text, Holds: null);
        return new FailIfState(text, FailIfCondition.Parse(text, names).Condition?.Holds(numbers(report)));
    }
}
