namespace ScaleOut.Specs.Reading;

/// <summary>Notes broken rules, none of which a schema can see, and says nothing of rules that rest on invalid fields.</summary>
/// <param name="context">Knows which fields are invalid.</param>
internal sealed class RuleChecks(ReadingContext context)
{
    /// <inheritdoc cref="ReadingContext.IsInvalid"/>
    public bool IsInvalid(string path) => context.IsInvalid(path);

    /// <summary>Whether the value here, one that holds it or one that it holds is invalid.</summary>
    public bool IsInvalidWithin(string path) => context.IsInvalid(path)
        || context.Errors.Any(error => error.Path.StartsWith(path, StringComparison.Ordinal)
            && error.Path.Length > path.Length
            && error.Path[path.Length] is ('.' or '['));

    public bool IsGiven(string path) => context.IsGiven(path);

    public void Add(string path, string message) => context.Add(path, message, beyondSchema: true);

    public void Rule(bool broken, string path, string message, params ReadOnlySpan<string> restsOn)
    {
        if (!broken || context.IsInvalid(path))
            return;
        foreach (var other in restsOn)
        {
            if (context.IsInvalid(other))
                return;
        }

        Add(path, message);
    }
}
