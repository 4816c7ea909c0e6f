using Microsoft.Azure.Cosmos;

namespace ScaleOut.Bench.AccountCpu;

/// <summary>
/// Compares the CPU per insert of the simulated account in Direct mode with that of <see cref="BareFrames"/>. The SDK drives both.
/// </summary>
public static class DirectAccountBenchmark
{
    private const double Limit = 2;

    public static async Task RunAsync(BenchSettings settings)
    {
        using var account = await AccountServer.StartAsync(LatencyProfile.None);
        var connection = account.Ready.Connection;
        var target = await AccountServer.CreateContainerAsync(connection, "account-bench");

        using var bareCertificate = BareCertificate.Create();
        string?[] thumbprints = [connection.CertificateThumbprint, bareCertificate.GetCertHashString(HashAlgorithmName.SHA256)];
        bool Accepts(X509Certificate? certificate) => thumbprints.Contains(
            certificate?.GetCertHashString(HashAlgorithmName.SHA256), StringComparer.OrdinalIgnoreCase);

        using var straightAddresses = Addresses(Accepts);
        using var straight = Client(connection, straightAddresses, Accepts);
        var container = straight.GetContainer(target.Database, target.Name);
        await BareLoop.RunAsync(container, "first", 200, 4);

        int[] accountPorts = [.. straightAddresses.Seen];
        using var bare = await ServerProcesses.StartAsync<int[]>(
            BareFrames.Role, new BareFrames.Settings(Convert.ToBase64String(bareCertificate.Export(X509ContentType.Pkcs12)), accountPorts));
        using var bareAddresses = Addresses(Accepts);
        bareAddresses.Ports = accountPorts.Zip(bare.Ready).ToDictionary();
        using var rerouted = Client(connection, bareAddresses, Accepts);
        var bareContainer = rerouted.GetContainer(target.Database, target.Name);

        var run = 0;
        async Task<double> CpuAsync<T>(ServerProcess<T> server, Container through)
        {
            var before = server.CpuTime;
            await BareLoop.RunAsync(through, $"run-{++run}", settings.Documents, settings.Concurrency);
            return (server.CpuTime - before).TotalSeconds;
        }

        Task<double> AccountAsync() => CpuAsync(account, container);
        Task<double> BareAsync() => CpuAsync(bare, bareContainer);

        await new ServerComparison(settings, "bare TLS server", Limit).RunAsync(AccountAsync, BareAsync);
    }

    private static AddressHandler Addresses(Func<X509Certificate?, bool> accepts) => new(new SocketsHttpHandler
    {
        SslOptions = { RemoteCertificateValidationCallback = (_, certificate, _, _) => accepts(certificate) },
    });

    private static CosmosClient Client(
        AccountConnection connection, HttpMessageHandler handler, Func<X509Certificate?, bool> accepts) => new(
        connection.Endpoint.AbsoluteUri,
        connection.Key,
        new CosmosClientOptions
        {
            ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode.Direct,
            HttpClientFactory = () => new HttpClient(handler, disposeHandler: false),
            ServerCertificateCustomValidationCallback = (certificate, _, _) => accepts(certificate),
            LimitToEndpoint = true,
        });
}
