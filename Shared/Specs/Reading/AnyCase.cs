using System.Text;

namespace ScaleOut.Specs.Reading;

/// <summary>Names that are read in any letter case.</summary>
internal static class AnyCase
{
    public static bool TryFind<T>(IReadOnlyDictionary<string, T> named, string text, out T? value)
    {
        foreach (var (name, candidate) in named)
        {
            if (Ascii.EqualsIgnoreCase(name, text))
            {
                value = candidate;
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>A schema's pattern for the same: regular expressions of a schema know no flag for it.</summary>
    public static string Pattern(IEnumerable<string> names) =>
        $"^({string.Join('|', names.Select(name => string.Concat(name.Select(EitherCase))))})$";

    private static string EitherCase(char letter) => char.IsAsciiLetter(letter) ? $"[{char.ToUpperInvariant(letter)}{char.ToLowerInvariant(letter)}]" : $"{letter}";
}
