namespace ScaleOut.Tests.Workers.Accounts;

/// <summary>Whether an account can be used with the client settings of a spec.</summary>
public sealed class ConsistencyCheckTests
{
    private static readonly RunSpec DirectAtOnePlace = new()
    {
        Id = "r",
        Workers = 2,
        Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway },
        WorkerOverrides = [new WorkerOverride { Workers = [1], Client = new ClientSpec { ConnectionMode = ConnectionMode.Direct } }],
    };

    [Theory]
    [InlineData("http://127.0.0.1:1/", null, "client.connectionMode", "workerOverrides[0].client.connectionMode")]
    [InlineData("http://127.0.0.1:1/", "00", "", "")]
    [InlineData("https://127.0.0.1:1/", null, "", "")]
    public void ErrorsOf_Endpoint_NamesEachPlaceThatAsksForDirect(string endpoint, string? thumbprint, string ofDefault, string ofOverride)
    {
        var account = new AccountConnection { Endpoint = new Uri(endpoint), CertificateThumbprint = thumbprint };
        Assert.Equal(Places(ofDefault), PathsOf(new RunSpec { Id = "r" }, account));
        Assert.Equal(Places(ofOverride), PathsOf(DirectAtOnePlace, account));
    }

    [Theory]
    [InlineData("https://127.0.0.1:1/", true)]
    [InlineData("https://books.documents.azure.com/", false)]
    public void ErrorsOf_PreferredRegion_NamesEachPlaceUnlessTheAccountIsInAzure(string endpoint, bool isError)
    {
        var region = new ClientSpec { PreferredRegion = "West Europe" };
        var spec = new RunSpec { Id = "r", Client = region, WorkerOverrides = [new WorkerOverride { Workers = [1], Client = region }] };
        Assert.Equal(
            isError ? ["client.preferredRegion", "workerOverrides[0].client.preferredRegion"] : Array.Empty<string>(),
            PathsOf(spec, new AccountConnection { Endpoint = new Uri(endpoint) }));
    }

    [Fact]
    public void RejectionsOf_StrongerConsistencyThanTheAccounts_NamesEachPlace()
    {
        var spec = new RunSpec
        {
            Client = new ClientSpec { Consistency = ConsistencyLevel.Strong },
            WorkerOverrides =
            [
                new WorkerOverride { Workers = [0], Client = new ClientSpec { Consistency = ConsistencyLevel.Eventual } },
                new WorkerOverride { Workers = [1], Client = new ClientSpec { Consistency = ConsistencyLevel.BoundedStaleness } },
            ],
        };

        Assert.Equal(
            [
                "client.consistency: Strong is stronger than the account's Session.",
                "workerOverrides[1].client.consistency: BoundedStaleness is stronger than the account's Session.",
            ],
            ConsistencyCheck.RejectionsOf(spec, ConsistencyLevel.Session));
    }

    [Theory]
    [InlineData(null, ConsistencyLevel.Eventual)]
    [InlineData(ConsistencyLevel.Session, ConsistencyLevel.Session)]
    [InlineData(ConsistencyLevel.ConsistentPrefix, ConsistencyLevel.Session)]
    [InlineData(ConsistencyLevel.Eventual, ConsistencyLevel.Session)]
    public void RejectionsOf_EqualOrWeakerConsistency_AreNone(ConsistencyLevel? asked, ConsistencyLevel ofAccount) =>
        Assert.Empty(ConsistencyCheck.RejectionsOf(new RunSpec { Client = new ClientSpec { Consistency = asked } }, ofAccount));

    private static string[] Places(string path) => path.Length == 0 ? [] : [path];

    private static IEnumerable<string> PathsOf(RunSpec spec, AccountConnection account) =>
        EndpointCheck.ErrorsOf(spec, account).Select(error => error[..error.IndexOf(':', StringComparison.Ordinal)]);
}
