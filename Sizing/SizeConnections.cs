namespace ScaleOut.Sizing;

/// <summary>How many connections a worker of a fleet opens to a real account.</summary>
internal static class SizeConnections
{
    public static long PerWorker(RunSpec spec, FleetSettings fleet) =>
        ClientConnections.Max(spec, SettingsOf(spec, fleet), ClientConnections.Replicas * fleet.Partitions);

    /// <summary>The number, and what it follows from, as a sentence.</summary>
    public static string Describe(RunSpec spec, FleetSettings fleet)
    {
        var most = $"Each worker opens up to {Words.Amount(PerWorker(spec, fleet), "connection")} to the account: ";
        var settings = SettingsOf(spec, fleet);
        var metadata = $"{ClientConnections.ForMetadata} to read the container over HTTPS";
        if (fleet.Mode == ConnectionMode.Gateway)
            return $"{most}one for each operation in flight, and {metadata}.";
        var requests = settings.MaxRequestsPerConnection ?? ClientConnections.DefaultRequestsEach;
        return $"{most}one to each of the {ClientConnections.Replicas} replicas of {Words.Amount(fleet.Partitions, "partition")}, one more "
            + $"for every {Math.Max(1, requests / 2)} operations in flight (half of the {requests} that one takes), and {metadata}.";
    }

    private static ClientSettings SettingsOf(RunSpec spec, FleetSettings fleet) => spec.SettingsOf(0) with
    {
        ConnectionMode = fleet.Mode,
        Concurrency = fleet.Concurrency,
        MaxConnections = fleet.Mode == ConnectionMode.Gateway ? FleetTrials.ConnectionsOf(spec, fleet) : spec.SettingsOf(0).MaxConnections,
    };
}
