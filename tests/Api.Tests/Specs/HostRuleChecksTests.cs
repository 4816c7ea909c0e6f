using ScaleOut.Api.Specs;

namespace ScaleOut.Tests.Api.Specs;

public class HostRuleChecksTests
{
    private static readonly HostRules Rules = new()
    {
        RequestUnitsPerSecond = new SettingLimit("MAX_RUS", 20_000), Workers = new SettingLimit("MAX_WORKERS", 100),
    };

    [Theory]
    [InlineData(100, 20_000, 0)]
    [InlineData(101, 20_000, 1)]
    [InlineData(100, 20_100, 1)]
    [InlineData(101, 20_100, 2)]
    public void Errors_OverALimit_NameTheSetting(int workers, int throughput, int errors)
    {
        var spec = new RunSpec { Workers = workers, Container = new ContainerSpec { Throughput = throughput } };

        var found = HostRuleChecks.Errors(Rules, spec).ToList();

        bool Has(string path, string setting) =>
            found.Any(error => error.Path == path && error.Message.Contains(setting, StringComparison.Ordinal));
        Assert.Equal(errors, found.Count);
        Assert.Equal((workers > 100, throughput > 20_000), (Has("workers", "MAX_WORKERS"), Has("container.throughput", "MAX_RUS")));
    }

    /// <summary>The last would begin when the first have ended, so that no rate would be that of all workers.</summary>
    [Theory]
    [InlineData(8, null)]
    [InlineData(9, "WORKER_CAPACITY")]
    [InlineData(100, "WORKER_CAPACITY")]
    [InlineData(101, "MAX_WORKERS WORKER_CAPACITY")]
    public void Errors_MoreWorkersThanCanStartTogether_NameTheSetting(int workers, string? settings)
    {
        var rules = Rules with { WorkersAtOnce = new SettingLimit("WORKER_CAPACITY", 8) };

        var found = HostRuleChecks.Errors(rules, new RunSpec { Workers = workers, Container = new ContainerSpec { Throughput = 400 } })
            .ToList();

        Assert.Equal(
            settings?.Split(' ') ?? [],
            found.Select(error => Regex.Match(error.Message, @"the setting (\w+)").Groups[1].Value));
        Assert.All(found, error => Assert.Equal("workers", error.Path));
    }

    [Fact]
    public void Errors_CapacityThatIsTheMaximum_IsOneError() => Assert.Contains(
        "MAX_WORKERS",
        Assert.Single(HostRuleChecks.Errors(
            Rules with { WorkersAtOnce = new SettingLimit("WORKER_CAPACITY", 100) },
            new RunSpec { Workers = 101, Container = new ContainerSpec { Throughput = 400 } })).Message,
        StringComparison.Ordinal);

    [Theory]
    [InlineData(20_000, true, "scaleout", "")]
    [InlineData(20_100, true, "scaleout", "container.throughputSteps[0].throughput")]
    [InlineData(20_000, false, "scaleout", "container.throughputSteps")]
    [InlineData(20_100, false, "scaleout", "container.throughputSteps container.throughputSteps[0].throughput")]
    [InlineData(20_000, false, "mine", "")]
    public void Errors_ThroughputSteps_AreWithinTheLimitAndTheRight(int throughput, bool mayChange, string database, string paths)
    {
        var container = new ContainerSpec
        {
            Database = database, Throughput = 400, ThroughputSteps = [new ThroughputStep { AfterSeconds = 1, Throughput = throughput }],
        };

        var found = HostRuleChecks.Errors(Rules with { ThroughputIsFixed = !mayChange }, new RunSpec { Container = container });

        Assert.Equal(paths, string.Join(' ', found.Select(error => error.Path).Order(StringComparer.Ordinal)));
    }

    /// <summary>A run that may exceed the quota gets a warning. A run that exceeds it in any case gets an error.</summary>
    [Theory]
    [InlineData(20_000_000, 2, 0, 0)]
    [InlineData(200_000_000, 2, 0, 1)]
    [InlineData(200_000_000, 100, 1, 1)]
    public void Errors_TelemetryBeyondTheQuota_OnlyIfItIsCertain(long documents, int workers, int errors, int warnings)
    {
        var rules = new HostRules { TelemetryGigabytesPerDay = new SettingLimit("TELEMETRY_DAILY_QUOTA_GB", 1) };
        var spec = new RunSpec { Documents = documents, Workers = workers, Container = new ContainerSpec { Throughput = 20_000 } };

        var found = HostRuleChecks.Errors(rules, spec).ToList();

        Assert.Equal((errors, warnings), (found.Count, HostRuleChecks.Warnings(rules, [spec]).Count()));
        Assert.All(found, error => Assert.Contains("the setting TELEMETRY_DAILY_QUOTA_GB", error.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void Errors_NamedContainer_HasNoThroughputToLimit() =>
        Assert.Empty(HostRuleChecks.Errors(Rules, new RunSpec { Container = new ContainerSpec { Name = "there" } }));

    [Fact]
    public void Errors_TableBatch_HasNoThroughputToLimitAndNeedsATableAccount()
    {
        var spec = new RunSpec { Workload = new WorkloadSpec { Kind = WorkloadKind.TableBatch } };
        var fields = new JsonObject { ["workload"] = new JsonObject { ["kind"] = "tableBatch" } };

        Assert.Empty(HostRuleChecks.Errors(Rules, spec));
        Assert.Empty(HostRuleChecks.Errors(Rules, fields, []));
        Assert.Contains("TABLE_ACCOUNT", Assert.Single(HostRuleChecks.TableErrors(Rules, spec)).Message, StringComparison.Ordinal);
        Assert.Empty(HostRuleChecks.TableErrors(Rules with { HasTables = true }, spec));
        Assert.Empty(HostRuleChecks.TableErrors(Rules, new RunSpec()));
    }

    [Fact]
    public void Errors_NoLimits_AreEmpty() =>
        Assert.Empty(HostRuleChecks.Errors(
            new HostRules(), new RunSpec { Workers = 1_000, Container = new ContainerSpec { Throughput = 10_000_000 } }));

    [Fact]
    public void Errors_CsvFile_IsRejected() =>
        Assert.Equal("document.csv", Assert.Single(HostRuleChecks.Errors(
            new HostRules(), new RunSpec { Document = new DocumentSpec { Csv = "/etc/hostname" } })).Path);

    [Theory]
    [InlineData("""{"document":{"kind":"csv","csv":"/etc/hostname"},"nonsense":1}""", "container.throughput document.csv")]
    [InlineData("""{"workers":200,"container":{"throughput":30000},"nonsense":1}""", "container.throughput workers")]
    [InlineData("""{"workers":200,"container":5}""", "workers")]
    [InlineData(
        """{"container":{"throughput":400,"throughputSteps":[{"throughput":500},{"throughput":30000}]},"nonsense":1}""",
        "container.throughputSteps container.throughputSteps[1].throughput")]
    [InlineData("""{"workers":"many","container":{"throughput":30000}}""", "container.throughput")]
    [InlineData("""{"workers":5000,"nonsense":1}""", "container.throughput")]
    [InlineData("""{"workers":1e400,"container":{"name":"there"}}""", "")]
    public void Errors_SpecWithOtherErrors_AreFoundAsWell(string spec, string paths)
    {
        var known = RunSpecReader.Read(spec).Errors;
        Assert.NotEmpty(known);
        var found = HostRuleChecks.Errors(
            Rules with { ThroughputIsFixed = true }, JsonNode.Parse(spec)!.AsObject(), known);
        Assert.Equal(paths, string.Join(' ', found.Select(error => error.Path).Order(StringComparer.Ordinal)));
    }
}
