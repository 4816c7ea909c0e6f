using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>Values under the names that plans give them.</summary>
internal static class SpecNames
{
    public static string Of<T>(T value) where T : struct, Enum => EnumNames<T>.All.First(pair => EqualityComparer<T>.Default.Equals(pair.Value, value)).Key;
}
