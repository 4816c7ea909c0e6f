namespace ScaleOut.Tests.Infra;

/// <summary>What a Bicep file declares, as far as the tests need it: no compiler, one regular expression per kind of declaration.</summary>
internal sealed partial record BicepFile(
    string Path,
    string Text,
    IReadOnlyList<BicepResource> Resources,
    IReadOnlyList<string> Modules,
    IReadOnlyList<BicepParameter> Parameters)
{
    public static BicepFile Parse(string path, string text) => new(
        path,
        text,
        [
            .. ResourcePattern().Matches(text)
                .Where(match => !match.Groups["existing"].Success)
                .Select(match => new BicepResource(match.Groups["symbol"].Value, match.Groups["type"].Value)),
        ],
        [.. ModulePattern().Matches(text).Select(match => match.Groups["path"].Value)],
        [.. ParameterPattern().Matches(text).Select(ParameterIn)]);

    /// <summary>The texts between quotes that a pattern's group <c>text</c> finds.</summary>
    public static IReadOnlyList<string> TextsIn(string text, Regex pattern) =>
        [.. pattern.Matches(text).Select(match => match.Groups["text"].Value)];

    private static BicepParameter ParameterIn(Match match) => new(
        match.Groups["name"].Value,
        match.Groups["type"].Value,
        match.Groups["default"].Success ? match.Groups["default"].Value.Trim('\'') : null,
        match.Groups["decorators"].Value);

    [GeneratedRegex(
        @"^resource (?<symbol>\w+) '(?<type>[^'@]+)@\d{4}-\d{2}-\d{2}(-preview)?'(?<existing> existing)? =", RegexOptions.Multiline)]
    private static partial Regex ResourcePattern();

    [GeneratedRegex(@"^module \w+ '(?<path>[^']+)' =", RegexOptions.Multiline)]
    private static partial Regex ModulePattern();

    // Decorators begin a line with @; those of several lines end with a bracket of their own.
    [GeneratedRegex(
        @"(?<decorators>(^@.*\n((?!param |@|\n).*\n)*)*)^param (?<name>\w+) (?<type>\w+)( = (?<default>.+))?$", RegexOptions.Multiline)]
    private static partial Regex ParameterPattern();
}
