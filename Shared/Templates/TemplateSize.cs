using System.Globalization;
using System.Text;

namespace ScaleOut.Templates;

/// <summary>How many UTF-8 bytes a template's parts become.</summary>
public static class TemplateSize
{
    private const int Guid = 36;
    private const int Decimals = 4;

    /// <summary>The most that a part can become; a choice counts as if all of its characters had to be escaped.</summary>
    public static int Most(TemplatePart part)
    {
        ArgumentNullException.ThrowIfNull(part);
        return part.Kind switch
        {
            PlaceholderKind.Literal => Encoding.UTF8.GetByteCount(part.Text),
            PlaceholderKind.Number => 19,
            PlaceholderKind.RandomInt => Digits(part),
            PlaceholderKind.RandomNumber => Digits(part) + Decimals,
            PlaceholderKind.RandomText => (int)part.Maximum,
            PlaceholderKind.RandomBool => 5,
            PlaceholderKind.Pick => part.Choices.Max(choice => choice.Length) * 6,
            PlaceholderKind.Id => LongestId,
            _ => Guid,
        };
    }

    /// <summary>Longest partition key that the service takes, in bytes.</summary>
    public const int LongestKey = 2_048;

    /// <summary>Longest id that the service takes, in bytes.</summary>
    public const int LongestId = 1_023;

    /// <summary>What a part becomes on the whole.</summary>
    internal static int Typical(TemplatePart part) => part.Kind switch
    {
        PlaceholderKind.Number => 6,
        PlaceholderKind.Id or PlaceholderKind.Key => Guid,
        PlaceholderKind.Pick => (int)part.Choices.Average(choice => Encoding.UTF8.GetByteCount(choice)),
        _ => Most(part),
    };

    private static int Digits(TemplatePart part) =>
        Math.Max(part.Minimum.ToString(CultureInfo.InvariantCulture).Length, part.Maximum.ToString(CultureInfo.InvariantCulture).Length)
            + 1;
}
