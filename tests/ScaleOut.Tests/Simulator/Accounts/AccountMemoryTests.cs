using ScaleOut.DevBox.Machine;

namespace ScaleOut.Tests.Simulator.Accounts;

/// <summary>Compares the formula with the memory of stores that hold a run's documents.</summary>
public sealed class AccountMemoryTests
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

        var forDocuments = need.AccountBytes - AccountMemory.From(0, 1, Partitions, moving: 0);
        var reserved = stores.Sum(store => store.ReservedBytes);
        Assert.Equal(Documents, need.Documents);
        Assert.InRange(forDocuments, reserved, 1.75 * reserved);
    }

    [Theory]
    [InlineData(155, 4, 0)]
    [InlineData(1_725, 32, 2)]
    [InlineData(1_725, 1, 1)]
    public void MaxDocumentsIn_TheirNeed_IsTheirNumber(double bodyBytes, int partitions, int moving)
    {
        var bytes = AccountMemory.From(3_000_000, bodyBytes, partitions, moving);
        Assert.InRange(AccountMemory.MaxDocumentsIn(bytes, bodyBytes, partitions, moving), 2_999_990, 3_000_000);
        Assert.Equal(0, AccountMemory.MaxDocumentsIn(1_000, bodyBytes, partitions, moving));
    }
}
