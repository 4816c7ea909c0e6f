using System.Text.Json.Serialization.Metadata;
using ScaleOut.Specs;

namespace ScaleOut.Json;

/// <summary>
/// Leaves the settings of a run's own container out of the JSON where the container is an existing one: beside its name they are faults,
/// so a spec that was written could not be read again. One that is not at its default is written all the same, for validation to see.
/// </summary>
internal static class NamedContainerModifier
{
    private static readonly ContainerSpec Defaults = new();

    private static readonly Dictionary<string, Func<ContainerSpec, bool>> AtDefault = new()
    {
        ["throughput"] = container => container.Throughput == Defaults.Throughput,
        ["autoscale"] = container => container.Autoscale == Defaults.Autoscale,
        ["indexing"] = container => container.Indexing == Defaults.Indexing,
        ["excludedPaths"] = container => container.ExcludedPaths is not { Count: > 0 },
        ["keep"] = container => container.Keep == Defaults.Keep,
    };

    public static void Apply(JsonTypeInfo type)
    {
        if (type.Type != typeof(ContainerSpec))
            return;
        foreach (var property in type.Properties)
        {
            if (AtDefault.TryGetValue(property.Name, out var atDefault))
                property.ShouldSerialize = (holder, _) => holder is not ContainerSpec { Name: not null } container || !atDefault(container);
        }
    }
}
