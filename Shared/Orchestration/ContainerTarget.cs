namespace ScaleOut.Orchestration;

/// <summary>The container a worker writes to.</summary>
/// <param name="Database">Database id.</param>
/// <param name="Name">Container id.</param>
/// <param name="PartitionKeyPath">Such as <c>/PartitionKey</c>.</param>
public sealed record ContainerTarget(string Database, string Name, string PartitionKeyPath);
