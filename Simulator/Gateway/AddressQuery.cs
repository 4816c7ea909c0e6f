namespace ScaleOut.Simulator.Gateway;

/// <summary>What the query of an address request asks for.</summary>
/// <param name="ResolveFor">Segments of the path whose partitions' addresses are wanted: <c>dbs</c>, or <c>dbs/{rid}/colls/{rid}/docs</c>.</param>
/// <param name="Ranges">Ids of the partition key ranges; empty for all.</param>
internal sealed record AddressQuery(string[] ResolveFor, string[] Ranges)
{
    public static AddressQuery Parse(string raw)
    {
        string[] resolveFor = [];
        string[] ranges = [];
        int at = raw.IndexOf('?');
        foreach (string pair in at < 0 ? [] : raw[(at + 1)..].Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = pair.IndexOf('=');
            if (equals < 0)
                continue;
            string value = Uri.UnescapeDataString(pair[(equals + 1)..]);
            switch (Uri.UnescapeDataString(pair[..equals]))
            {
                case "$resolveFor":
                    resolveFor = value.Split('/', StringSplitOptions.RemoveEmptyEntries);
                    break;
                case "$partitionKeyRangeIds":
                    ranges = value.Split(',', StringSplitOptions.RemoveEmptyEntries);
                    break;
            }
        }

        return new AddressQuery(resolveFor, ranges);
    }
}
