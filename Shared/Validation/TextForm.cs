namespace ScaleOut.Validation;

/// <summary>The form that a text must have: a pattern and a maximum length.</summary>
public sealed class TextForm
{
    /// <summary>Names of databases and containers. The service forbids some characters, and a space at the end.</summary>
    public static readonly TextForm ResourceName = new(
        "a name for a database or container (1 to 255 characters, none of / \\ ? #, no space at the end)",
        $@"^[^/\\?#\u0000-\u001F{Reordering}]*[^/\\?#\u0000-\u0020{Reordering}]$",
        255);

    /// <summary>A property of the document, as a path.</summary>
    public static readonly TextForm PropertyPath = new("a path such as \"/PartitionKey\"", @"^/[^/?*\u0000-\u001F]+$", 255);

    /// <summary>A path of an indexing policy.</summary>
    public static readonly TextForm IndexPath = new(
        "an index path such as \"/SomeText/?\", \"/SomeText/*\" or \"/*\"",
        "^(/([^/\"?*\\u0000-\\u001F]+|\"[^\"\\u0000-\\u001F]+\"))*/\\*$|^(/([^/\"?*\\u0000-\\u001F]+|\"[^\"\\u0000-\\u001F]+\"))+/\\?$",
        1_000);

    /// <summary>The paths of a composite index as ORDER BY has them, 2 to 8 ("Azure Cosmos DB service quotas").</summary>
    public static readonly TextForm CompositeIndex = new(
        "a composite index of 2 to 8 paths such as \"/status, /lastSeen DESC\"",
        "^(/[^/?*,\"\\s\\u0000-\\u001F]+)+( ASC| DESC)?(, (/[^/?*,\"\\s\\u0000-\\u001F]+)+( ASC| DESC)?){1,7}$",
        1_000);

    /// <summary>A parameter of a query.</summary>
    public static readonly TextForm ParameterName = new("a parameter's name such as \"@owner\"", "^@[A-Za-z_][A-Za-z0-9_]*$", 100);

    /// <summary>A column that can be a property and a path.</summary>
    public static readonly TextForm ColumnName = new(
        "a column's name (1 to 128 characters, none of / * ? \")", "^[^/*?\"\\u0000-\\u001F]+$", 128);

    public static readonly TextForm VariantName = new(
        "a name of 1 to 60 characters without a space at either end",
        $@"^[^\s\u0000-\u001F{Reordering}]([^\u0000-\u001F{Reordering}]*[^\s\u0000-\u001F{Reordering}])?$", 60);

    public static readonly TextForm FindingId = new(
        "a finding's id such as \"direct-2\" (letters, digits and '-', at most 40 characters)", "^[A-Za-z0-9][A-Za-z0-9-]{0,39}$", 40);

    public static readonly TextForm Instant = new(
        "an instant in UTC such as \"2026-11-22T17:00:00Z\"", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", 20);

    public static readonly TextForm Currency = new("a currency such as \"EUR\" (1 to 10 letters)", "^[A-Za-z]{1,10}$", 10);

    /// <summary>Ids of runs, and names that are made from them.</summary>
    public static readonly TextForm RunId = new(
        "a run id such as \"million-1\" (a-z, 0-9 and '-', at most 40 characters, no '-' in front)", "^[a-z0-9][a-z0-9-]{0,39}$", 40);

    /// <summary>Shorter than a run's id, because the ids of the experiment's runs are made from it.</summary>
    public static readonly TextForm ExperimentId = new(
        "an experiment id such as \"ladder-1\" (a-z, 0-9 and '-', at most 30 characters, no '-' in front)",
        "^[a-z0-9][a-z0-9-]{0,29}$", 30);

    /// <summary>Characters that reorder what follows on the same line, so that a name could make a report say something else.</summary>
    private const string Reordering = @"\u202A-\u202E\u2066-\u2069";

    private readonly Regex? _regex;

    public TextForm(string expectation, string? pattern, int maximumLength)
    {
        Expectation = expectation;
        Pattern = pattern;
        MaximumLength = maximumLength;
        // In a JSON schema, '$' matches only the very end. In .NET it would also match before a final line feed.
        _regex = pattern is null ? null : new Regex(pattern.Replace("$", @"\z", StringComparison.Ordinal), RegexOptions.CultureInvariant);
    }

    /// <summary>Completes the sentence "... is not".</summary>
    public string Expectation { get; }

    /// <summary>A regular expression as JSON schemas use them; null if every text is valid.</summary>
    public string? Pattern { get; }

    /// <summary>Maximum length in Unicode code points, as a JSON schema counts.</summary>
    public int MaximumLength { get; }

    /// <summary>The form of a name; null for <see cref="FormName.None"/>.</summary>
    internal static TextForm? From(FormName name) => name switch
    {
        FormName.ResourceName => ResourceName,
        FormName.PropertyPath => PropertyPath,
        FormName.IndexPath => IndexPath,
        FormName.CompositeIndex => CompositeIndex,
        FormName.ParameterName => ParameterName,
        FormName.ColumnName => ColumnName,
        FormName.VariantName => VariantName,
        FormName.FindingId => FindingId,
        FormName.Instant => Instant,
        FormName.Currency => Currency,
        FormName.RunId => RunId,
        FormName.ExperimentId => ExperimentId,
        _ => null,
    };

    /// <summary>Creates a form for any text up to a length.</summary>
    public static TextForm Free(int maximumLength) =>
        new($"a text of at most {maximumLength} characters, none of which reorders text", $"^[^{Reordering}]*$", maximumLength);

    /// <summary>Creates a form for any text up to a length that is not empty.</summary>
    public static TextForm Filled(int maximumLength) =>
        new($"a text of 1 to {maximumLength} characters, none of which reorders text", $"^[^{Reordering}]+$", maximumLength);

    public bool Fits(string text) => text.EnumerateRunes().Count() <= MaximumLength && _regex?.IsMatch(text) != false;
}

/// <summary>
/// Parses whole numbers from the text of JSON numbers without rounding. <c>1e6</c>, <c>1.0</c> and <c>1e400</c> are whole numbers;
/// <c>1.5</c> and <c>1e-400</c> are not.
/// </summary>
internal static class WholeNumber
{
    /// <summary>The number, or the nearest <see cref="long"/> if it is out of range. Null if it is not whole.</summary>
    public static long? Parse(string text)
    {
        var negative = text.StartsWith('-');
        var exponentAt = text.IndexOfAny(['e', 'E']);
        var mantissa = (exponentAt < 0 ? text : text[..exponentAt]).TrimStart('-');
        var pointAt = mantissa.IndexOf('.', StringComparison.Ordinal);
        var decimals = pointAt < 0 ? 0 : mantissa.Length - pointAt - 1;
        var digits = mantissa.Replace(".", "", StringComparison.Ordinal).TrimStart('0');
        var significant = digits.TrimEnd('0');
        if (significant.Length == 0)
            return 0;

        var exponent = exponentAt < 0 ? 0 : ExponentOf(text[(exponentAt + 1)..]);
        var zeros = exponent - decimals + (digits.Length - significant.Length);
        if (zeros < 0)
            return null;

        var beyond = negative ? long.MinValue : long.MaxValue;
        if (significant.Length + zeros > 19)
            return beyond;
        var magnitude = (negative ? "-" : "") + significant + new string('0', (int)zeros);
        return long.TryParse(magnitude, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) ? value : beyond;
    }

    // No text has as many digits as this bound, so clamping the exponent does not change the result.
    private static long ExponentOf(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var exponent)
            ? Math.Clamp(exponent, -1L << 40, 1L << 40)
            : text.StartsWith('-') ? -1L << 40 : 1L << 40;
}

/// <summary>Names of the forms in <see cref="TextForm"/>, for attributes.</summary>
internal enum FormName
{
    None,
    ResourceName,
    PropertyPath,
    IndexPath,
    CompositeIndex,
    ParameterName,
    ColumnName,
    VariantName,
    FindingId,
    Instant,
    Currency,
    RunId,
    ExperimentId,
}
