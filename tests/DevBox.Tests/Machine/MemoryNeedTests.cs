using ScaleOut.DevBox.Machine;

namespace ScaleOut.Tests.DevBox.Machine;

public sealed class MemoryNeedTests
{
    private const int Documents = 60_000;
    private const int Partitions = 4;
    private static readonly DocumentSpec[] Kinds =
    [
        new(),
        new() { Kind = DocumentKind.Device },
        new() { Kind = DocumentKind.Flights },
        new() { Kind = DocumentKind.Template, Template = """{"pk":"{{key}}","n":"{{number}}","text":"{{random:text:40}}"}""" },
    ];

    public static TheoryData<int> All => [.. Enumerable.Range(0, Kinds.Length)];

    /// <summary>Compares the formula with the memory of stores that hold a run's documents.</summary>
    [Theory, MemberData(nameof(All))]
    public void From_DocumentsOfARun_IsAtMostThreeQuartersAboveWhatStoresReserve(int kind)
    {
        var simulation = new SimulationSpec { PhysicalPartitions = Partitions };
        var spec = new RunSpec { Id = "memory", Documents = Documents, Document = Kinds[kind], Simulation = simulation };
        var source = DocumentSources.For(spec.Document, "memory", spec.Container.KeyPathsFor(spec.Document));
        var stores = Enumerable.Range(0, Partitions).Select(_ => new PartitionStore()).ToList();
        var body = new byte[source.MaxBytes];
        for (var number = 0; number < Documents; number++)
        {
            var length = source.Write(number, source.KeyOf(number), body);
            var key = new DocumentKey((ulong)number * 0x9E3779B97F4A7C15, (ulong)number);
            stores[number % Partitions].Add(new DocumentRecord { Key = key }, body.AsSpan(0, length));
        }

        var need = MemoryNeed.From(spec);

        var forDocuments = need.AccountBytes - PeakMemoryEstimate.From(0, 1, Partitions, moving: 0);
        var reserved = stores.Sum(store => store.ReservedBytes);
        Assert.Equal(Documents, need.Documents);
        Assert.InRange(forDocuments, reserved, 1.75 * reserved);
    }

    [Theory]
    [InlineData(WorkloadKind.Insert, null, 5_000)]
    [InlineData(WorkloadKind.Batch, null, 5_000)]
    [InlineData(WorkloadKind.Read, null, 5_000)]
    [InlineData(WorkloadKind.Query, 300L, 300)]
    [InlineData(WorkloadKind.Delete, 9_000L, 9_000)]
    public void From_Workload_CountsTheDocumentsThatExistAtOnce(WorkloadKind kind, long? preload, long expected)
    {
        var workload = new WorkloadSpec { Kind = kind, Preload = preload };
        Assert.Equal(expected, MemoryNeed.From(new RunSpec { Documents = 5_000, Workload = workload }).Documents);
    }

    /// <summary>Of 5,000 actions that write two documents each, and what they read.</summary>
    [Theory]
    [InlineData(300L, 10_300)]
    [InlineData(null, 15_000)]
    public void From_Action_CountsTheDocumentsThatAreReadAndWritten(long? preload, long expected)
    {
        var workload = new WorkloadSpec { Action = [WorkloadKind.Insert, WorkloadKind.Read, WorkloadKind.Upsert], Preload = preload };
        Assert.Equal(expected, MemoryNeed.From(new RunSpec { Documents = 5_000, Workload = workload }).Documents);
    }

    [Fact]
    public void From_StepsThatEndLongBeforeTheDocuments_CountsWhatTheBudgetAllows()
    {
        StepSpec[] steps = [new() { Duration = TimeSpan.FromSeconds(10) }, new() { Duration = TimeSpan.FromSeconds(20) }];
        var need = MemoryNeed.From(
            new RunSpec { Documents = 1_000_000_000, Workload = new() { Steps = steps }, Container = new() { Throughput = 7_050 } });
        // 30 s of 7,050 RU/s, at 7.05 RU each.
        Assert.InRange(need.Documents, 29_999, 30_001);
    }

    [Theory]
    [InlineData("run --documents 1000000000", "documents: 1,000,000,000 documents of about ", "(given as --documents)")]
    [InlineData("validate --documents 1000000000 --partitions 2", "documents: 1,000,000,000 documents of about ", "(given as --documents)")]
    [InlineData(
        "run --workload read --documents 5 --preload 1000000000 --document device",
        "workload.preload: 1,000,000,000 documents of about ", "(given as --preload)")]
    [InlineData(
        "experiment large.json", "large.json: variants[1].change.documents: 1,000,000,000 documents ",
        "(the largest run is of variant 'large')")]
    [InlineData(
        "validate large.json", "large.json: variants[1].change.documents: 1,000,000,000 documents ",
        "(the largest run is of variant 'large')")]
    public async Task AnyCommand_MoreDocumentsThanMemoryHolds_IsAnErrorBeforeAnythingBegins(string line, string begin, string end)
    {
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(
            Path.Combine(folder.Path, "large.json"),
            """
            { "base": { "simulation": { "latency": "none" } }, "variants": [
              { "name": "small", "change": { "documents": 900000000 } }, { "name": "large", "change": { "documents": 1000000000 } } ] }
            """,
            TestContext.Current.CancellationToken);

        var program = await DevBoxCommand.RunAsync(folder.Path, line.Split(' '));

        Assert.True(program.ExitCode == 2, $"exit code {program.ExitCode}\n{program.Output}\n{program.Errors}");
        var error = Assert.Single(program.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.StartsWith($"error: {begin}", error, StringComparison.Ordinal);
        Assert.Contains(" of memory in the simulated account, and this machine has 8 GiB: at most about ", error, StringComparison.Ordinal);
        Assert.EndsWith(end, error, StringComparison.Ordinal);
        Assert.Single(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    /// <summary>Without an account the spec may be for a real one, which holds any number of documents.</summary>
    [Fact]
    public async Task Validate_MoreDocumentsThanMemoryHoldsAndNoTarget_SaysBoth()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(folder.Path, ["validate", "--documents", "1000000000"]);
        Assert.True(program.ExitCode == 0, program.Errors);
        AssertText.Has(
            program.Output, "valid: run", "warning: not on the simulated account of this machine: 1,000,000,000 documents of about",
            "a real account (--account) holds any number");
    }

    [Theory]
    [InlineData("validate --workers 1000", "the processes of 1,000 workers need about 195 GiB of memory, ")]
    [InlineData("validate --workers 1000 --partitions 2", "the processes of 1,000 workers need about 195 GiB of memory beside ")]
    [InlineData(
        "validate --workers 1000 --account https://mine.documents.azure.com/",
        "the processes of 1,000 workers need about 195 GiB of memory, ")]
    [InlineData("run --workers 1000 --workload bulk", "the processes of 1,000 workers need about 312 GiB of memory beside ")]
    public async Task AnyCommand_MoreWorkersThanMemoryHolds_IsAnErrorBeforeAnythingBegins(string line, string message)
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(folder.Path, line.Split(' '));
        Assert.True(program.ExitCode == 2, program.Output);
        var error = Assert.Single(program.Errors.Split('\n'), one => one.Contains("the processes of", StringComparison.Ordinal));
        Assert.StartsWith($"error: workers: {message}", error, StringComparison.Ordinal);
        Assert.Contains("and this machine has 8 GiB: at most ", error, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    [Fact]
    public async Task Validate_AnotherAccount_NeedsNoMemoryForItsDocuments()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(
            folder.Path, ["validate", "--documents", "1000000000", "--account", "https://mine.documents.azure.com/"]);
        Assert.True(program.ExitCode == 0, program.Errors);
        Assert.DoesNotContain("memory", program.Output, StringComparison.Ordinal);
    }
}
