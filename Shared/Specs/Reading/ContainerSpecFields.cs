using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>The fields of a <see cref="ContainerSpec"/>.</summary>
internal static class ContainerSpecFields
{
    private static readonly ContainerSpec Defaults = new();

    /// <summary>Fields that only a container of the run's own can have, in the order in which they are named.</summary>
    public static readonly IReadOnlyList<string> OfOwnContainer = ["throughput", "autoscale", "indexing", "excludedPaths", "keep"];

    public static ContainerSpec Read(ISpecObject container) => new()
    {
        Database = container.Field("database", "Made when it does not exist.").Text(TextForm.ResourceName) ?? Defaults.Database,
        Name = container.Field("name", "An existing container, used as it is. Without it the run makes run-{id} and deletes it at the end.")
            .Text(TextForm.ResourceName),
        Throughput = container.Field(
            "throughput", "RU/s of the run's own container, the maximum with autoscale (then 1000 and more in steps of 1000).")
            .WholeInt(ContainerSpec.LeastThroughput, ContainerSpec.MostThroughput, step: 100) ?? Defaults.Throughput,
        Autoscale = container.Field("autoscale", "Whether the throughput scales by itself.").Flag() ?? Defaults.Autoscale,
        PartitionKeyPath = container.Field("partitionKeyPath",
            "The property that is the partition key; the document kind's own when left out.").Text(TextForm.PropertyPath),
        Indexing = container.Field("indexing", "Indexing mode of the run's own container.").Choice<IndexingMode>() ?? Defaults.Indexing,
        ExcludedPaths = container.Field("excludedPaths", "Index paths to leave out, such as /SomeText/? or /*.")
            .List(item => item.Text(TextForm.IndexPath)!, 0, ContainerSpec.MostExcludedPaths, unique: true) ?? Defaults.ExcludedPaths,
        Keep = container.Field("keep", "Whether the run's own container stays after the run.").Flag() ?? Defaults.Keep,
    };
}
