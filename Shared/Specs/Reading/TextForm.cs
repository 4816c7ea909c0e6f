using System.Text.RegularExpressions;

namespace ScaleOut.Specs.Reading;

/// <summary>What a text must look like.</summary>
public sealed class TextForm
{
    /// <summary>Ids of runs and names that are made from them.</summary>
    public static readonly TextForm RunId = new("a run id such as \"million-1\" (a-z, 0-9 and '-', at most 40 characters, no '-' in front)", "^[a-z0-9][a-z0-9-]{0,39}$", 40);

    /// <summary>Names of databases and containers: the service forbids these characters and a space at the end.</summary>
    public static readonly TextForm ResourceName = new(
        "a name for a database or container (1 to 255 characters, none of / \\ ? #, no space at the end)",
        @"^[^/\\?#\u0000-\u001F]*[^/\\?#\u0000-\u0020]$",
        255);

    /// <summary>A property of the document, as a path.</summary>
    public static readonly TextForm PropertyPath = new("a path such as \"/PartitionKey\"", @"^/[^/?*\u0000-\u001F]+$", 255);

    /// <summary>A path of an indexing policy.</summary>
    public static readonly TextForm IndexPath = new(
        "an index path such as \"/SomeText/?\", \"/SomeText/*\" or \"/*\"",
        "^(/([^/\"?*\\u0000-\\u001F]+|\"[^\"\\u0000-\\u001F]+\"))*/\\*$|^(/([^/\"?*\\u0000-\\u001F]+|\"[^\"\\u0000-\\u001F]+\"))+/\\?$",
        1_000);

    /// <summary>A parameter of a query.</summary>
    public static readonly TextForm ParameterName = new("a parameter's name such as \"@owner\"", "^@[A-Za-z_][A-Za-z0-9_]*$", 100);

    /// <summary>A column that can be a property and a path.</summary>
    public static readonly TextForm ColumnName = new("a column's name (1 to 128 characters, none of / * ? \")", "^[^/*?\"\\u0000-\\u001F]+$", 128);

    private readonly Regex? _regex;

    public TextForm(string expectation, string? pattern, int maximumLength)
    {
        Expectation = expectation;
        Pattern = pattern;
        MaximumLength = maximumLength;
        // In a schema '$' is the very end; in .NET it would also match before a last line feed.
        _regex = pattern is null ? null : new Regex(pattern.Replace("$", @"\z", StringComparison.Ordinal), RegexOptions.CultureInvariant);
    }

    /// <summary>Completes the sentence "... is not".</summary>
    public string Expectation { get; }

    /// <summary>In the regular expressions of a JSON schema; null where every text will do.</summary>
    public string? Pattern { get; }

    /// <summary>In Unicode code points, as a JSON schema counts.</summary>
    public int MaximumLength { get; }

    /// <summary>Any text up to a length.</summary>
    public static TextForm Free(int maximumLength) => new($"a text of at most {maximumLength} characters", pattern: null, maximumLength);

    /// <summary>Any text up to a length that is not empty.</summary>
    public static TextForm Filled(int maximumLength) => new($"a text of 1 to {maximumLength} characters", "^[\\s\\S]+$", maximumLength);

    public bool Fits(string text) => text.EnumerateRunes().Count() <= MaximumLength && _regex?.IsMatch(text) != false;
}
