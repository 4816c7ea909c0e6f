using Microsoft.Azure.Cosmos;

namespace ScaleOut.Bench.AccountCpu;

/// <summary>
/// Compares the CPU per insert of the simulated account with that of a bare Kestrel endpoint over the same TLS. The same SDK client drives
/// both.
/// </summary>
public static class AccountBenchmark
{
    private const double Limit = 1.5;

    public static async Task RunAsync(BenchSettings settings)
    {
        using var account = await AccountServer.StartAsync(LatencyProfile.None);
        var connection = account.Ready.Connection;
        var target = await AccountServer.CreateContainerAsync(connection, "account-bench");

        using var bareCertificate = BareCertificate.Create();
        string?[] thumbprints = [connection.CertificateThumbprint, bareCertificate.GetCertHashString(HashAlgorithmName.SHA256)];
        using var sockets = new SocketsHttpHandler
        {
            MaxConnectionsPerServer = 50,
            SslOptions =
            {
                RemoteCertificateValidationCallback = (_, certificate, _, _) =>
                    thumbprints.Contains(certificate?.GetCertHashString(HashAlgorithmName.SHA256), StringComparer.OrdinalIgnoreCase),
            },
        };
        using var rerouting = new ReroutingHandler(sockets);
        using var client = new CosmosClient(connection.Endpoint.AbsoluteUri, connection.Key, new CosmosClientOptions
        {
            ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode.Gateway,
            HttpClientFactory = () => new HttpClient(rerouting, disposeHandler: false),
            LimitToEndpoint = true,
        });
        var container = client.GetContainer(target.Database, target.Name);
        await BareLoop.RunAsync(container, "first", 1, 1);
        using var bare = await ServerProcesses.StartAsync<Uri>(BareEndpoint.Role,
            new BareEndpoint.Settings(Convert.ToBase64String(bareCertificate.Export(X509ContentType.Pkcs12)), rerouting.LastHeaders!));

        var run = 0;
        async Task<double> CpuAsync<T>(ServerProcess<T> server, Uri? reroute)
        {
            rerouting.Target = reroute;
            var before = server.CpuTime;
            await BareLoop.RunAsync(container, $"run-{++run}", settings.Documents, settings.Concurrency);
            return (server.CpuTime - before).TotalSeconds;
        }

        Task<double> AccountAsync() => CpuAsync(account, null);
        Task<double> BareAsync() => CpuAsync(bare, bare.Ready);

        await new ServerComparison(settings, "bare endpoint", Limit).RunAsync(AccountAsync, BareAsync);
    }
}
