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

    public static string EffectivePartitionKey(PartitionKeyDefinitionVersion version, string keyJson)
    {
        var definition = Activator.CreateInstance(Definition)!;
        const BindingFlags any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
        Definition.GetProperty("Paths", any)!.SetValue(definition, new Collection<string> { "/pk" });
        Definition.GetProperty("Version", any)!.SetValue(definition, Enum.ToObject(Version, (int)version));
        var key = FromJson.Invoke(null, [keyJson])!;
        return (string)Effective.Invoke(key, Effective.GetParameters().Length == 1 ? [definition] : [definition, true])!;
    }
}
