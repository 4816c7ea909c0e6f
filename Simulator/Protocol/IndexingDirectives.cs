namespace ScaleOut.Simulator.Protocol;

/// <summary>Whether a write's document is to be indexed. Numbers are those of the Direct protocol.</summary>
internal enum IndexingDirective : byte
{
    /// <summary>As the container's policy says.</summary>
    Default,
    Include,
    Exclude,
}

/// <summary>Reads indexing directives, and rejects those that ask for something else than the container's policy does.</summary>
internal static class IndexingDirectives
{
    public const string Unknown = "The indexing directive is none of Default, Include and Exclude.";

    /// <summary>Null for an unknown one.</summary>
    public static IndexingDirective? From(string name) =>
        Enum.TryParse<IndexingDirective>(name, ignoreCase: true, out var directive) && Enum.IsDefined(directive) ? directive : null;

    /// <inheritdoc cref="From(string)"/>
    public static IndexingDirective? From(byte number) => Enum.IsDefined((IndexingDirective)number) ? (IndexingDirective)number : null;

    /// <exception cref="RequestException">400: the account cannot do what the directive asks for.</exception>
    public static void Check(IndexingDirective directive, ContainerSettings settings)
    {
        if (directive != IndexingDirective.Default && settings.Automatic != (directive == IndexingDirective.Include))
            throw RequestException.Rejected(
                $"The indexing directive {directive} is not simulated: the account indexes "
                + (settings.Automatic ? "every item" : "no item") + " of this container, as its indexing policy says.");
    }
}
