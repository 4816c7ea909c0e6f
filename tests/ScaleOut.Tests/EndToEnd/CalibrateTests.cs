using ScaleOut.Profiles;
using ScaleOut.Simulator.Accounts;
using ScaleOut.Specs;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Shared.Profiles;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>Calibrations of simulated accounts with other physics. What depends on time is left to the bench.</summary>
public sealed class CalibrateTests
{
    private static readonly SimulationSpec Physics = new()
    {
        PhysicalPartitions = 2,
        Latency = LatencyProfile.None,
        Throttling = new ThrottlingSpec { RetryAfterMinMs = 50, RetryAfterMaxMs = 120 },
        Consistency = ConsistencyLevel.Eventual,
        Charges = new ChargeSpec
        {
            ReadPoints = [new(1_024, 1.25), new(65_536, 6), new(1_048_576, 90)],
            WritePoints = [new(1_024, 7.3), new(65_536, 30), new(1_048_576, 300)],
            PerIndexedTerm = 0.35,
            PerPatchedProperty = 0.9,
            PerQueryPage = 3.4,
            PerIndexLookup = 0.45,
            LoadedShare = 0.12,
            ReturnedShare = 0.33,
        },
    };

    [Fact]
    public async Task Calibrate_OtherPhysics_RecoversThemAndRunUsesTheProfile()
    {
        // At Strong consistency the SDK asks two replicas, and a read is charged twice: no figure of a profile may hold that.
        await using var account = await SimulatedAccount.StartAsync(
            SimulatedAccountOptions.From(Physics with { Consistency = ConsistencyLevel.Strong }, seed: 3),
            TestContext.Current.CancellationToken);
        using var folder = new TemporaryFolder();
        using var program = await CalibrateAsync(account, folder, "--minutes", "0.2", "--yes");

        Assert.True(program.ExitCode == 0, $"{program.Output}\n{program.Errors}");
        var profile = ProfileFile.Read(await File.ReadAllBytesAsync(ProfileIn(folder), TestContext.Current.CancellationToken));
        AssertCharges(profile.Charges);
        Assert.Equal([2, 2], profile.Layout.Select(one => one.Partitions));
        Assert.InRange(profile.Throttling.RetryAfterMinMs!.Value, 50, 120);
        Assert.Equal(120, profile.Throttling.RetryAfterMaxMs!.Value);
        Assert.Equal("Strong", profile.Consistency);
        Assert.NotNull(profile.Latency.RoundTripMs);
        Assert.NotNull(profile.Latency.Write);
        Assert.True(File.Exists(Path.ChangeExtension(ProfileIn(folder), ".html")));
        await AssertNothingLeftAsync(account);
        await AssertRunUsesAsync(folder, profile);
        await AssertExperimentUsesAsync(folder, profile);
    }

    [Fact]
    public async Task Calibrate_CostLimit_EndsBeforeItAndSaysWhatIsMissing()
    {
        await using var account = await SimulatedAccount.StartAsync(
            SimulatedAccountOptions.From(Physics, seed: 4), TestContext.Current.CancellationToken);
        using var folder = new TemporaryFolder();
        using var program = await CalibrateAsync(account, folder, "--minutes", "0.2", "--yes", "--max-cost-ru", "500");

        Assert.True(program.ExitCode == 0, $"{program.Output}\n{program.Errors}");
        var profile = ProfileFile.Read(await File.ReadAllBytesAsync(ProfileIn(folder), TestContext.Current.CancellationToken));
        Assert.InRange(profile.RequestUnits, 1, 500);
        Assert.Equal("Eventual", profile.Consistency);
        Assert.Contains(profile.Notes, note => note.Contains("charges", StringComparison.Ordinal));
        Assert.Contains(profile.Notes, note => note.Contains("throttling", StringComparison.Ordinal));
        await AssertNothingLeftAsync(account);
    }

    [Fact]
    public async Task Calibrate_Interrupted_DeletesItsContainer()
    {
        await using var account = await SimulatedAccount.StartAsync(
            SimulatedAccountOptions.From(Physics, seed: 5), TestContext.Current.CancellationToken);
        using var folder = new TemporaryFolder();
        using var program = DevBoxProcess.Start(folder.Path, Arguments(account, "--minutes", "0.2", "--yes"), Key(account));
        await Until.HoldsAsync(
            () => program.HasExited || program.Output.Contains("  charges  ", StringComparison.Ordinal), "the charges are measured");
        Assert.False(program.HasExited, $"{program.Output}\n{program.Errors}");

        Signals.Send(program.Id, Signals.Interrupt);
        await program.WaitAsync();

        Assert.Equal(130, program.ExitCode);
        Assert.Contains("the calibration's container is deleted", program.Errors, StringComparison.Ordinal);
        Assert.False(File.Exists(ProfileIn(folder)));
        await AssertNothingLeftAsync(account);
    }

    [Fact]
    public async Task Calibrate_NobodyToAsk_IsAnError()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(folder.Path, ["calibrate", "--account", "https://localhost:1"]);

        Assert.Equal(2, program.ExitCode);
        Assert.Contains("costs about", program.Output, StringComparison.Ordinal);
        Assert.Contains("--yes: without a terminal nobody can be asked", program.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Calibrate_SeveralErrors_AreAllNamed()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(
            folder.Path, ["calibrate", "--minutes", "16", "--max-cost-ru", "many", "--out", "there/profile.json"]);

        Assert.Equal(2, program.ExitCode);
        Assert.Contains("--account: name the account to measure.", program.Errors, StringComparison.Ordinal);
        Assert.Contains("--minutes: '16' is not a number from 0.2 to 15.", program.Errors, StringComparison.Ordinal);
        Assert.Contains("--max-cost-ru: 'many' is not a number", program.Errors, StringComparison.Ordinal);
        Assert.Contains("--out: there is no folder", program.Errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("account")]
    [InlineData("experiment", "plan.json")]
    public async Task Profile_Damaged_IsAnErrorThatSaysSo(params string[] command)
    {
        using var folder = new TemporaryFolder();
        var content = ProfileFile.Write(SampleProfiles.Create());
        await File.WriteAllBytesAsync(ProfileIn(folder), content[..^20], TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(
            Path.Combine(folder.Path, "plan.json"), """{"base":{},"variants":[{"name":"one"}]}""", TestContext.Current.CancellationToken);
        var program = await DevBoxCommand.RunAsync(folder.Path, [.. command, "--profile", "profile.json"]);

        Assert.Equal(2, program.ExitCode);
        Assert.Contains("--profile: profile.json cannot be used: it is no valid JSON", program.Errors, StringComparison.Ordinal);
    }

    private static void AssertCharges(ChargeFigures figures)
    {
        var truth = ChargeSpec.ModelOf(Physics.Charges);
        Assert.All(figures.Reads, read => Assert.Equal(truth.Read(read.Bytes), read.RequestUnits.Value, 6));
        Assert.All(figures.Writes, write => Assert.Equal(truth.Create(write.Bytes, 0), write.RequestUnits.Value, 6));
        Assert.Equal(11, figures.Writes.Count);
        foreach (var (figure, value) in new[]
            {
                (figures.PerIndexedTerm, truth.IndexedTerm), (figures.PerPatchedProperty, truth.PatchedProperty),
                (figures.PerQueryPage, truth.Query.Page), (figures.PerIndexLookup, truth.Query.Lookup),
                (figures.LoadedShare, truth.Query.LoadedShare), (figures.ReturnedShare, truth.Query.ReturnedShare),
            })
        {
            Assert.True(figure!.Covers(value), $"{figure} does not cover {value}");
            Assert.InRange(figure.Value, value * 0.99, value * 1.01);
        }

        Assert.NotEmpty(figures.Checks);
        Assert.All(figures.Checks, check => Assert.Equal(check.Measured, check.Predicted, 0.05));
    }

    private static async Task AssertRunUsesAsync(TemporaryFolder folder, AccountProfile profile)
    {
        using var run = await DevBoxProcess.RunAsync(
            folder.Path, ["run", "--documents", "200", "--workers", "1", "--id", "measured", "--profile", "profile.json"]);

        Assert.True(run.ExitCode == 0, run.Errors);
        Assert.Contains($"profile {profile.Name}: {profile.Account}", run.Output, StringComparison.Ordinal);
        var report = new FinishedRun(Path.Combine(folder.Path, "runs"), "measured").Report;
        Assert.Equal(profile.Name, report.Spec.Simulation!.Profile!.Name);
        Assert.Equal(2, report.Spec.Simulation.PhysicalPartitions);
        Assert.Equal(7.3, ChargeSpec.ModelOf(report.Spec.Simulation.Charges).Create(1_024, 0));
    }

    private static async Task AssertExperimentUsesAsync(TemporaryFolder folder, AccountProfile profile)
    {
        await File.WriteAllTextAsync(
            Path.Combine(folder.Path, "plan.json"),
            """{"base":{"documents":50,"workers":1},"variants":[{"name":"one"}],"repeats":1}""", TestContext.Current.CancellationToken);
        using var experiment = await DevBoxProcess.RunAsync(
            folder.Path, ["experiment", "plan.json", "--id", "several", "--profile", "profile.json"]);

        Assert.True(experiment.ExitCode == 0, experiment.Errors);
        var report = await File.ReadAllTextAsync(
            Path.Combine(folder.Path, "runs", "several", "report.html"), TestContext.Current.CancellationToken);
        Assert.Contains($"measured physics: profile {profile.Name}: {profile.Account}", report, StringComparison.Ordinal);
    }

    private static async Task AssertNothingLeftAsync(SimulatedAccount account)
    {
        using var client = CosmosClientFactory.CreateControl(account.Connection());
        using var containers = client.GetDatabase("scaleout").GetContainerQueryIterator<Microsoft.Azure.Cosmos.ContainerProperties>();
        Assert.Empty(await containers.ReadNextAsync(TestContext.Current.CancellationToken));
    }

    private static string ProfileIn(TemporaryFolder folder) => Path.Combine(folder.Path, "profile.json");

    private static Task<DevBoxProcess> CalibrateAsync(SimulatedAccount account, TemporaryFolder folder, params string[] arguments) =>
        DevBoxProcess.RunAsync(folder.Path, Arguments(account, arguments), Key(account));

    private static string[] Arguments(SimulatedAccount account, params string[] arguments) =>
    [
        "calibrate", "--account", account.HttpsEndpoint.ToString(), "--account-thumbprint", account.CertificateThumbprint, .. arguments,
    ];

    private static Dictionary<string, string> Key(SimulatedAccount account) => new() { ["COSMOS_KEY"] = account.Key };
}
