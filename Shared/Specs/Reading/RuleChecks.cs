namespace ScaleOut.Specs.Reading;

/// <summary>Notes broken rules, none of which a schema can see, and says nothing of rules that rest on faulty fields.</summary>
/// <param name="context">Knows which fields are faulty.</param>
internal sealed class RuleChecks(ReadingContext context)
{
    /// <inheritdoc cref="ReadingContext.IsFaulty"/>
    public bool IsFaulty(string path) => context.IsFaulty(path);

    /// <summary>Whether the value here, one that holds it or one that it holds is faulty.</summary>
    public bool IsFaultyWithin(string path) => context.IsFaulty(path)
        || context.Faults.Any(fault => fault.Path.StartsWith(path, StringComparison.Ordinal) && fault.Path.Length > path.Length && fault.Path[path.Length] is ('.' or '['));

    public bool IsGiven(string path) => context.IsGiven(path);

    public void Add(string path, string message) => context.Add(path, message, beyondSchema: true);

    public void Rule(bool broken, string path, string message, params ReadOnlySpan<string> restsOn)
    {
        if (!broken || context.IsFaulty(path))
            return;
        foreach (var other in restsOn)
        {
            if (context.IsFaulty(other))
                return;
        }

        Add(path, message);
    }
}
