namespace ScaleOut.DevBox.Sizing;

/// <summary>How many connections a worker of a fleet opens to a real account. <see cref="OpenFileNeed"/> counts them.</summary>
internal static class SizeConnections
{
    public static long PerWorker(RunSpec spec, FleetSettings fleet) =>
        OpenFileNeed.ConnectionsOf(spec, SettingsOf(spec, fleet), OpenFileNeed.Replicas * fleet.Partitions);

    /// <summary>The number, and what it follows from, as a sentence.</summary>
    public static string Describe(RunSpec spec, FleetSettings fleet)
    {
        var most = $"Each worker opens up to {Words.Amount(PerWorker(spec, fleet), "connection")} to the account: ";
        var settings = SettingsOf(spec, fleet);
        var metadata = $"{OpenFileNeed.MetadataConnections} to read the container over HTTPS";
        if (fleet.Mode == ConnectionMode.Gateway)
            return $"{most}one for each operation in flight, and {metadata}.";
        var requests = settings.MaxRequestsPerConnection ?? OpenFileNeed.DefaultRequestsPerConnection;
        return $"{most}one to each of the {OpenFileNeed.Replicas} replicas of {Words.Amount(fleet.Partitions, "partition")}, one more for "
            + $"every {Math.Max(1, requests / 2)} operations in flight (half of the {requests} that one takes), and {metadata}.";
    }

    private static ClientSettings SettingsOf(RunSpec spec, FleetSettings fleet) => spec.SettingsOf(0) with
    {
        ConnectionMode = fleet.Mode,
        Concurrency = fleet.Concurrency,
        MaxConnections = fleet.Mode == ConnectionMode.Gateway ? FleetTrials.ConnectionsOf(spec, fleet) : spec.SettingsOf(0).MaxConnections,
    };
}
