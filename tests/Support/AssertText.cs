namespace ScaleOut.Tests.Support;

/// <summary>Assertions on the parts of a text. Upper and lower case differ.</summary>
internal static class AssertText
{
    public static void Has(string? text, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, text, StringComparison.Ordinal));

    public static void Lacks(string? text, params string[] parts) =>
        Assert.All(parts, part => Assert.DoesNotContain(part, text, StringComparison.Ordinal));

    public static void AnyHas(IEnumerable<string> texts, string part) =>
        Assert.Contains(texts, text => text.Contains(part, StringComparison.Ordinal));
}
