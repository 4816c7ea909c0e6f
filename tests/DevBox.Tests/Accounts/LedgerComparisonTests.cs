namespace ScaleOut.Tests.DevBox.Accounts;

public sealed class LedgerComparisonTests
{
    internal static readonly ContainerTarget Target = new("scaleout", "run-sample", "/PartitionKey");

    internal static readonly RunReport Report =
        new RunSample { Seconds = 20, ThrottledShare = 0.1, Spec = new() { Id = "sample", Documents = 4_000 } }.Build();

    [Fact]
    public void Create_NothingWasLost_ComparesEverythingForEquality()
    {
        var comparison = LedgerComparison.Create(Report, Ledger(), Target);
        Assert.Empty(comparison.Differences);
        Assert.Equal("the account's ledger agrees: documents counted, documents inserted, 429s, RU are equal", comparison.Text);
    }

    [Theory]
    [InlineData(-1, 0, 0, "4,000 documents counted, 3,999 in the ledger; 4,000 documents inserted, 3,999 in the ledger")]
    [InlineData(0, 1, 0, "429s")]
    [InlineData(0, 0, 0.002, "RU")]
    [InlineData(0, 0, -0.002, "RU")]
    public void Create_NothingWasLost_AnyDifferenceIsNamed(int documents, int throttled, double requestUnits, string named)
    {
        var comparison = LedgerComparison.Create(Report, Ledger(documents, throttled, requestUnits), Target);
        Assert.NotEmpty(comparison.Differences);
        Assert.StartsWith("the account's ledger differs: ", comparison.Text, StringComparison.Ordinal);
        Assert.Contains(named, comparison.Text, StringComparison.Ordinal);
    }

    /// <summary>A report and a ledger that count the 429s' charges differently do not agree.</summary>
    [Theory]
    [InlineData(50, 50, "RU are equal")]
    [InlineData(50, 0, "RU, ")]
    [InlineData(0, 50, "RU, ")]
    public void Create_ChargesOf429s_AreCompared(double reported, double counted, string named)
    {
        var ledger = Ledger();
        var operations = ledger.Containers[0].Operations;
        operations = operations with { Create = operations.Create with { ThrottledRequestUnits = RequestUnits.From(counted) } };
        var comparison = LedgerComparison.Create(
            Report with { RequestUnits = Report.RequestUnits with { Throttled = reported } },
            ledger with { Containers = [ledger.Containers[0] with { Operations = operations }] }, Target);
        Assert.Contains(named, comparison.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Create_LegsWereLost_ReportMayBeBelowTheLedgerAndSaysWhatWasCompared()
    {
        var comparison = LedgerComparison.Create(
            Lost(inserted: 3_000, alreadyPresent: 1_000), Ledger(throttled: 50, requestUnits: 0.4), Target);
        Assert.Empty(comparison.Differences);
        Assert.StartsWith(
            "the account's ledger agrees: documents counted are equal; legs or responses were lost, so only that the report does not "
            + "exceed the ledger in documents inserted or found there (4,000 of 4,000), 429s (",
            comparison.Text,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3_708, 1_000, 0, 0, "4,708 documents inserted or found there, 4,000 in the ledger")]
    [InlineData(3_000, 1_000, -1, 0, "429s")]
    [InlineData(3_000, 1_000, 0, -0.002, "RU")]
    public void Create_LegsWereLost_ReportAboveTheLedgerDiffers(
        long inserted, long alreadyPresent, int throttled, double requestUnits, string named)
    {
        var comparison = LedgerComparison.Create(
            Lost(inserted, alreadyPresent), Ledger(throttled: throttled, requestUnits: requestUnits), Target);
        Assert.Contains(named, Assert.Single(comparison.Differences), StringComparison.Ordinal);
    }

    [Fact]
    public void Create_ContainerThatTheLedgerDoesNotKnow_ComparesNothing() =>
        Assert.Equal("not compared with the account's ledger: it knows no container scaleout/other",
            LedgerComparison.Create(Report, Ledger(), Target with { Name = "other" }).Text);

    /// <summary>The report has ten deletes, and two more were done by actions that were cut.</summary>
    [Theory]
    [InlineData(10, null)]
    [InlineData(13, "13 documents deleted, 12 in the ledger")]
    public void Create_ActionsThatDeleteWereCut_ReportIsAtMostTheLedgerInWritesAndInDeletes(int reported, string? difference)
    {
        var report = Report with
        {
            Spec = Report.Spec with
            {
                Workload = new() { Action = [WorkloadKind.Delete, WorkloadKind.Query], Query = new() { Text = "x" } },
            },
            Documents = Report.Documents with { Inserted = 10, Remaining = 3_990, Rise = -reported, Verified = null },
            Kinds =
            [
                new KindReport
                {
                    Kind = WorkloadKind.Delete, Step = 1, Operations = reported, Counts = new() { Inserted = reported },
                    LatencyMs = new LatencySummary(),
                },
            ],
        };
        var ledger = Ledger();
        var documents = ledger.Containers[0].Documents with { Created = 4_000, Deleted = 12 };

        var comparison = LedgerComparison.Create(
            report, ledger with { Containers = [ledger.Containers[0] with { Documents = documents }] }, Target);

        Assert.Equal(difference is null ? [] : [difference], comparison.Differences);
    }

    private static RunReport Lost(long inserted, long alreadyPresent) =>
        Report with { LostLegs = 1, Documents = Report.Documents with { Inserted = inserted, AlreadyPresent = alreadyPresent } };

    /// <summary>The ledger of the report's run, with more or fewer of each.</summary>
    /// <param name="requestUnits">A share of the report's request units.</param>
    private static AccountLedger Ledger(int documents = 0, int throttled = 0, double requestUnits = 0)
    {
        var nothing = default(Counts);
        var created = Report.Documents.Inserted + documents;
        var counts = new DocumentLedger { Created = created, UpsertedNew = 0, Replaced = 0, Deleted = 0 };
        var operations = new OperationLedger
        {
            Create = nothing with
            {
                Throttled = Report.Requests.Throttled + throttled,
                RequestUnits = RequestUnits.From(Report.RequestUnits.Total * (1 + requestUnits)),
            },
            Upsert = nothing, Replace = nothing, Read = nothing, Delete = nothing, Batch = nothing, Query = nothing,
        };
        var container = new ContainerLedger
        {
            Database = Target.Database, Name = Target.Name, ResourceId = "1", Deleted = false, Throughput = 60_000,
            DocumentCount = counts.Created, Documents = counts, Operations = operations, Partitions = [],
        };
        return new AccountLedger
        {
            StartedAt = RunSample.Start, AsOf = RunSample.Start, WireRequests = 0, RejectedRequests = 0, SecondsKept = 0,
            Documents = counts, Operations = operations, Containers = [container],
        };
    }
}
