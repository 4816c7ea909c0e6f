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
    /// <summary>Number of samples from one count to the next. Each count asks all sockets of the process.</summary>
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
        if (addresses.Count > 0 && OwnSockets.ReadRemoteEnds() is { } ends && ends.Count(IsOfAccount) is > 0 and var open)
            Most = Math.Max(Most ?? 0, open);
    }

    private bool IsOfAccount(IPEndPoint remote)
    {
        var (address, port) = (remote.Address, remote.Port);
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

/// <summary>Reads the connections of this process from its descriptors (proc_pid_fd(5), tcp(7)).</summary>
internal static class OwnSockets
{
    private const string Descriptors = "/proc/self/fd/";

    /// <summary>The descriptors by name, as regular files. Those of <see cref="Descriptors"/> are links, and .NET follows each.</summary>
    private const string DescriptorInfos = "/proc/self/fdinfo";

    private const string LinkPrefix = "socket:[";

    /// <summary>IPPROTO_TCP and TCP_INFO. The first byte of what they read is the state of the connection.</summary>
    private const int Protocol = 6;

    private const int StateOption = 11;

    private const byte Established = 1;
    private const byte Listening = 10;

    /// <summary>
    /// Remote ends of the established connections that this process has made, not of those that it has accepted. Null without <c>/proc</c>.
    /// </summary>
    public static IReadOnlyList<IPEndPoint>? ReadRemoteEnds()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            var (listening, open) = (new HashSet<int>(), new List<(int LocalPort, IPEndPoint Remote)>());
            foreach (var name in Directory.EnumerateFiles(DescriptorInfos).Select(Path.GetFileName))
            {
                if (new FileInfo(Descriptors + name).LinkTarget?.StartsWith(LinkPrefix, StringComparison.Ordinal) == true)
                    Add(new SafeSocketHandle(int.Parse(name!, CultureInfo.InvariantCulture), ownsHandle: false), listening, open);
            }

            return [.. open.Where(socket => !listening.Contains(socket.LocalPort)).Select(socket => socket.Remote)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A container that hides them.
            return null;
        }
    }

    private static void Add(SafeSocketHandle descriptor, HashSet<int> listening, List<(int LocalPort, IPEndPoint Remote)> open)
    {
        try
        {
            using var socket = new Socket(descriptor);
            Span<byte> state = [0];
            if (socket is not { ProtocolType: ProtocolType.Tcp, LocalEndPoint: IPEndPoint local })
                return;
            socket.GetRawSocketOption(Protocol, StateOption, state);
            if (state[0] == Listening)
                listening.Add(local.Port);
            else if (state[0] == Established && socket.RemoteEndPoint is IPEndPoint { Address: var address, Port: var port })
                open.Add((local.Port, new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, port)));
        }
        catch (Exception e) when (e is SocketException or ArgumentException or ObjectDisposedException)
        {
            // It was closed meanwhile.
        }
    }
}
