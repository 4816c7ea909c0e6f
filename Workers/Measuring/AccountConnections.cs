namespace ScaleOut.Workers.Measuring;

/// <summary>
/// Counts the TCP connections that this process has open to one account: its own sockets in <c>/proc</c>. Workers in one process share
/// them. Not counted where there is no <c>/proc</c>, because other systems do not say which process a connection belongs to, and where
/// requests go through a proxy.
/// </summary>
/// <param name="endpoint">The account's, or that of Table storage.</param>
/// <param name="addresses">Addresses of the endpoint; empty if nothing can be counted.</param>
/// <param name="direct">Whether connections to other ports than the endpoint's are the account's, too.</param>
internal sealed class AccountConnections(Uri endpoint, IReadOnlyList<IPAddress> addresses, bool direct)
{
    /// <summary>Number of samples from one count to the next. Each count reads all sockets of the machine.</summary>
    private const int SamplesBetween = 10;

    /// <summary>Set in a Function App, whose host has connections of its own.</summary>
    private const string FunctionsVariable = "FUNCTIONS_WORKER_RUNTIME";

    private readonly bool _inAzure = AzureEndpoints.Contains(endpoint);
    private int _samples;

    /// <summary>Largest number that was open at one time, after <see cref="Sample"/>; null where they cannot be counted.</summary>
    public int? Most { get; private set; }

    /// <summary>Finds the addresses of an endpoint.</summary>
    /// <param name="region">The region whose endpoint is used as well; null for none.</param>
    public static async Task<AccountConnections> ToAsync(
        Uri endpoint, bool direct, string? region, CancellationToken cancellationToken)
    {
        // Beside an account on this machine, the host of a Function App has connections to an emulator of storage, which look the same.
        var isMixed = direct && !AzureEndpoints.Contains(endpoint) && Environment.GetEnvironmentVariable(FunctionsVariable) is not null;
        if (isMixed || AccountProxy.Describe(endpoint).Length > 0)
            return new AccountConnections(endpoint, [], direct);
        var addresses = new List<IPAddress>();
        foreach (var host in new[] { endpoint.DnsSafeHost, RegionalHost(endpoint, region) }.OfType<string>())
        {
            try
            {
                addresses.AddRange(await Dns.GetHostAddressesAsync(host, cancellationToken));
            }
            catch (SocketException)
            {
                // The client has found the endpoint by itself. Without its addresses nothing is counted.
            }
        }

        return new AccountConnections(endpoint, addresses, direct);
    }

    /// <summary>Counts at every tenth call, beginning with the first one.</summary>
    public void Sample()
    {
        if (_samples++ % SamplesBetween == 0)
            Count();
    }

    public void Count()
    {
        // A client has at least one connection: none means that its addresses are others than those that were found.
        if (addresses.Count > 0 && OwnSockets.Read() is { } sockets && sockets.Count(IsOfAccount) is > 0 and var open)
            Most = Math.Max(Most ?? 0, open);
    }

    private bool IsOfAccount(OwnSocket socket)
    {
        var (address, port) = (socket.Remote.Address, socket.Remote.Port);
        if (port == endpoint.Port)
            return addresses.Contains(address);
        if (!direct)
            return false;
        // Replicas have ports of their own: https://learn.microsoft.com/azure/cosmos-db/nosql/sdk-connection-modes. The other services of a
        // Function App are on the port of https, on loopback, or on a link-local address.
        return _inAzure
            ? !IPAddress.IsLoopback(address) && !address.IsIPv6LinkLocal && !IsLinkLocal(address)
            : addresses.Contains(address);
    }

    private static bool IsLinkLocal(IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetwork && address.GetAddressBytes() is [169, 254, ..];

    /// <summary>Such as <c>books-westeurope.documents.azure.com</c>.</summary>
    private static string? RegionalHost(Uri endpoint, string? region) => region is null ? null
        : endpoint.DnsSafeHost.Split('.', 2) is [var account, var domain]
            ? $"{account}-{region.Replace(" ", "", StringComparison.Ordinal).ToLowerInvariant()}.{domain}"
            : null;
}

/// <summary>An open connection of this process that it has made itself.</summary>
internal readonly record struct OwnSocket(IPEndPoint Remote);

/// <summary>Reads the connections of this process from <c>/proc</c> (proc_pid_net(5)).</summary>
internal static class OwnSockets
{
    private const string Descriptors = "/proc/self/fd";
    private const string LinkPrefix = "socket:[";
    private const string Established = "01";
    private const string Listening = "0A";
    private const int LocalColumn = 1;
    private const int RemoteColumn = 2;
    private const int StateColumn = 3;
    private const int InodeColumn = 9;

    private static readonly string[] Tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

    /// <summary>Established connections that this process has made, not those that it has accepted. Null without <c>/proc</c>.</summary>
    public static IReadOnlyList<OwnSocket>? Read()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            var inodes = Directory.EnumerateFileSystemEntries(Descriptors).Select(entry => new FileInfo(entry).LinkTarget)
                .Where(target => target?.StartsWith(LinkPrefix, StringComparison.Ordinal) == true)
                .Select(target => target![LinkPrefix.Length..^1]).ToHashSet(StringComparer.Ordinal);
            var rows = Tables.Where(File.Exists).SelectMany(File.ReadLines)
                .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Where(columns => columns.Length > InodeColumn && inodes.Contains(columns[InodeColumn])).ToList();
            var listening = rows.Where(row => row[StateColumn] == Listening).Select(row => PortOf(row[LocalColumn])).ToHashSet();
            return
            [
                .. rows.Where(row => row[StateColumn] == Established && !listening.Contains(PortOf(row[LocalColumn])))
                    .Select(row => new OwnSocket(Parse(row[RemoteColumn]))),
            ];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            // A descriptor that was closed meanwhile, or a container that hides them: the next reading counts.
            return null;
        }
    }

    private static int PortOf(string endpoint) => int.Parse(
        endpoint.AsSpan(endpoint.IndexOf(':', StringComparison.Ordinal) + 1), NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    /// <summary>Parses such as <c>0100007F:1F90</c>: words of four bytes in the order of the machine.</summary>
    private static IPEndPoint Parse(string endpoint)
    {
        var digits = endpoint.AsSpan(0, endpoint.IndexOf(':', StringComparison.Ordinal));
        var bytes = new byte[digits.Length / 2];
        for (var word = 0; word < bytes.Length; word += sizeof(uint))
        {
            var value = uint.Parse(digits.Slice(2 * word, 2 * sizeof(uint)), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            BitConverter.TryWriteBytes(bytes.AsSpan(word), value);
        }

        var address = new IPAddress(bytes);
        return new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, PortOf(endpoint));
    }
}
