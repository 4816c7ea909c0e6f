using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>Values under the names that specs give them.</summary>
internal static class SpecNames
{
    public static string From<T>(T value) where T : struct, Enum =>
        EnumNames<T>.All.First(pair => EqualityComparer<T>.Default.Equals(pair.Value, value)).Key;
}
