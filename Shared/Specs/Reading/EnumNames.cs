using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.Specs.Reading;

/// <summary>An enum's values under the names that JSON gives them.</summary>
internal static class EnumNames<T> where T : struct, Enum
{
    public static readonly IReadOnlyDictionary<string, T> All =
        Enum.GetValues<T>().ToDictionary(value => JsonSerializer.SerializeToElement(value, ScaleOutJson.Compact).GetString()!);
}
