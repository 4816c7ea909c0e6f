using System.Collections.ObjectModel;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Shared.PartitionKeys;

/// <summary>The SDK's own effective partition keys, which it routes by: the oracle for ours.</summary>
internal static class SdkPartitionKeys
{
    private static readonly Assembly Direct = Assembly.Load("Microsoft.Azure.Cosmos.Direct");
    private static readonly Type Key = Direct.GetType("Microsoft.Azure.Documents.Routing.PartitionKeyInternal", throwOnError: true)!;
    private static readonly Type Definition = Direct.GetType("Microsoft.Azure.Documents.PartitionKeyDefinition", throwOnError: true)!;
    private static readonly Type Version = Direct.GetType("Microsoft.Azure.Documents.PartitionKeyDefinitionVersion", throwOnError: true)!;
    private static readonly MethodInfo FromJson = Key.GetMethod("FromJsonString", BindingFlags.Public | BindingFlags.Static)!;
    private static readonly MethodInfo Effective = Key.GetMethods().Single(method => method.Name == "GetEffectivePartitionKeyString"
        && method.GetParameters() is [{ } first, ..] && first.ParameterType == Definition);

    /// <param name="keyJson">An array of one value, or of the values of a hierarchical key.</param>
    public static string EffectivePartitionKey(PartitionKeyDefinitionVersion version, string keyJson)
    {
        using var values = JsonDocument.Parse(keyJson);
        var levels = values.RootElement.GetArrayLength();
        var definition = Activator.CreateInstance(Definition)!;
        const BindingFlags any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
        var paths = new Collection<string>([.. Enumerable.Range(0, levels).Select(level => $"/pk{level}")]);
        Definition.GetProperty("Paths", any)!.SetValue(definition, paths);
        Definition.GetProperty("Version", any)!.SetValue(definition, Enum.ToObject(Version, (int)version));
        var kind = Definition.GetProperty("Kind", any)!;
        kind.SetValue(definition, Enum.Parse(kind.PropertyType, levels == 1 ? "Hash" : "MultiHash"));
        var key = FromJson.Invoke(null, [keyJson])!;
        return (string)Effective.Invoke(key, Effective.GetParameters().Length == 1 ? [definition] : [definition, true])!;
    }
}
