using Microsoft.Azure.Cosmos;
using Mode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Tests.Support.Runs;

/// <summary>Runs legs of one worker on the real SDK against a simulated account, with a run store in a temporary folder.</summary>
public abstract class LegsOnAccount : IDisposable
{
    protected const string RunId = "legs";
    protected const string OtherRunId = "another";

    protected static readonly ContainerTarget Target = new("scaleout", "legs", "/PartitionKey");

    private readonly TemporaryFolder _folder = new();

    protected LegsOnAccount()
    {
        Store = _folder.StoreWith(RunId, OtherRunId);
        Files = new RunFiles(Store, RunId);
    }

    protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    protected FolderRunStore Store { get; }

    protected RunFiles Files { get; }

    protected string Folder => _folder.Path;

    public void Dispose()
    {
        _folder.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected static Task<SimulatedAccount> StartAsync(
        int partitions = 3, AccountSettings? options = null, LatencyProfile? latency = null) => SimulatedAccount.StartAsync(
        (options ?? new AccountSettings()) with { Latency = latency ?? LatencyProfile.None, PhysicalPartitions = partitions },
        Cancellation);

    private protected static async Task CreateContainerAsync(
        SimulatedAccount account, string keyPath = "/PartitionKey", int throughput = 1_000_000)
    {
        using var client = CosmosClientFactory.CreateControl(account.Connection());
        Database database = await client.CreateDatabaseIfNotExistsAsync(Target.Database, cancellationToken: Cancellation);
        var properties = new ContainerProperties(Target.Name, keyPath) { PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 };
        await database.CreateContainerAsync(properties, throughput, cancellationToken: Cancellation);
    }

    /// <summary>A second leg, which does not wait for the common start.</summary>
    private protected static LegInput Leg(
        long documents, WorkloadSpec? workload = null, Mode mode = Mode.Gateway, int concurrency = 10, DocumentSpec? document = null,
        string keyPath = "/PartitionKey") => new()
        {
            Leg = 2,
            Next = 0,
            Assignment = Script.Assignment(new NumberRange(0, documents)) with
            {
                RunId = RunId,
                Documents = documents,
                Workload = workload ?? new WorkloadSpec(),
                Document = document ?? new DocumentSpec(),
                Client = new ClientSettings { ConnectionMode = mode, Concurrency = concurrency },
                Container = Target with { PartitionKeyPath = keyPath },
                LegDuration = TimeSpan.FromMinutes(2),
                StartTimeout = TimeSpan.FromMinutes(1),
            },
        };

    private protected async Task<LegOutput> RunAsync(SimulatedAccount account, LegInput leg)
    {
        await using var runner = new LegRunner(Store, account.Connection(), new NoProgress()) { WorkersShareMachine = true };
        return await runner.RunAsync(leg, Cancellation);
    }

    /// <summary>Documents in the only container of an account.</summary>
    private protected static long DocumentsIn(SimulatedAccount account) =>
        Assert.Single(account.ReadLedger().Containers).Partitions.Sum(partition => partition.Documents);

    /// <summary>Waits until a leg has charged more than some RU for creates, or has ended.</summary>
    private protected static async Task UntilCreatedAsync(Task running, SimulatedAccount account, double requestUnits)
    {
        while (!running.IsCompleted && account.ReadLedger().Operations.Create.RequestUnits.Value <= requestUnits)
            await Task.Delay(50, Cancellation);
    }

    private protected async Task<LegResult> ResultAsync(LegInput leg) =>
        (await Files.ReadResultAsync(leg.Assignment.Worker, leg.Leg, Cancellation))!;
}
