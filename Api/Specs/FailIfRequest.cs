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
}
