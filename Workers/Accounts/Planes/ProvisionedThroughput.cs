namespace ScaleOut.Workers.Accounts.Planes;

/// <summary>Provisioned throughput.</summary>
/// <param name="PerSecond">RU/s; with autoscale the maximum.</param>
/// <param name="SharedByDatabase">Whether it is the database's, which its containers share.</param>
internal sealed record ProvisionedThroughput(int PerSecond, bool SharedByDatabase);
