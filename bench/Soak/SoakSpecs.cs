using ScaleOut.Specs.Reading;

namespace ScaleOut.Bench.Soak;

/// <summary>Makes the small runs of a soak. Workloads and modes take turns; the rest is random.</summary>
internal static class SoakSpecs
{
    /// <summary>Every fourth run has a spec of 75 KB, which is more than a pipe holds.</summary>
    private const int LargeEvery = 4;

    private static readonly string[] ManyPaths =
        [.. Enumerable.Range(0, 1_000).Select(i => string.Create(CultureInfo.InvariantCulture, $"/{new string('x', 60)}{i:D8}/?"))];

    private static readonly WorkloadKind[] Kinds = [.. Enum.GetValues<WorkloadKind>().Where(kind => !kind.UsesTables())];

    /// <summary>Whether the spec of the run of a round is longer than what a pipe holds.</summary>
    public static bool IsLarge(int round) => round % LargeEvery == LargeEvery - 1;

    /// <summary>The spec of the run of a round, counted from 0.</summary>
    public static RunSpec From(int round, Random random)
    {
        var kind = Kinds[round % Kinds.Length];
        var workers = random.Next(1, 4);
        // Enough documents for a few seconds and several legs of each worker.
        var documents = workers * random.Next(300, 900);
        var spec = new RunSpec
        {
            Id = string.Create(CultureInfo.InvariantCulture, $"soak-{round:D3}"),
            Documents = documents,
            Workers = workers,
            LegDuration = TimeSpan.FromSeconds(1),
            Workload = WorkloadOf(kind, documents, random),
            Document =
                kind is WorkloadKind.Query or WorkloadKind.Delete ? new DocumentSpec { Kind = DocumentKind.Device } : new DocumentSpec(),
            Client = new ClientSpec
            {
                ConnectionMode = round / Kinds.Length % 2 == 0 ? ConnectionMode.Direct : ConnectionMode.Gateway,
                Concurrency = 8,
                Rate = 200,
            },
            Container = new ContainerSpec { Throughput = 1_000_000, ExcludedPaths = IsLarge(round) ? ManyPaths : [] },
        };
        var errors = RunSpecReader.Check(spec).Errors;
        return errors.Count == 0 ? spec : throw new InvalidOperationException(
            $"The soak's own spec is not valid: {string.Join(" ", errors)}");
    }

    private static WorkloadSpec WorkloadOf(WorkloadKind kind, int documents, Random random) => new()
    {
        Kind = kind,
        Mix = kind == WorkloadKind.Mix
            ? new MixSpec
            {
                Insert = random.Next(1, 60), Upsert = 10, Patch = 5, Read = random.Next(30), Query = 1, Delete = random.Next(20),
            }
            : null,
        Action = kind == WorkloadKind.Action
            ? [WorkloadKind.Read, WorkloadKind.Insert, WorkloadKind.Patch, WorkloadKind.Upsert]
            : null,
        BatchSize = kind == WorkloadKind.Batch ? random.Next(2, 30) : null,
        Preload = kind is WorkloadKind.Read or WorkloadKind.Query or WorkloadKind.Patch or WorkloadKind.Action
            ? random.Next(20, 200)
            : kind == WorkloadKind.Delete ? documents + random.Next(100) : null,
        Query = kind is WorkloadKind.Query or WorkloadKind.Mix
            ? new QuerySpec { Text = "SELECT * FROM c WHERE c.number < 3", MaxConcurrency = -1 }
            : null,
    };
}
