using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Ledger;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Explorer;

/// <summary>What the explorer page shows: counts and names, no documents.</summary>
internal sealed record ExplorerData
{
    private const int SecondsShown = 60;

    /// <summary>The last whole second, since 1970.</summary>
    public required long Second { get; init; }

    /// <summary>Seconds that each partition's figures go back.</summary>
    public required int Seconds { get; init; }

    public required IReadOnlyList<ExplorerContainer> Containers { get; init; }

    public required IReadOnlyList<ExplorerRequest> Requests { get; init; }

    public static ExplorerData Read(AccountContext account)
    {
        AccountEngine engine = account.Engine;
        long nowTicks = engine.Clock.NowTicks;
        return new ExplorerData
        {
            Second = AccountClock.UnixSecond(nowTicks) - 1,
            Seconds = SecondsShown,
            Containers = [.. engine.Catalog.Containers.Select(container => Read(container, nowTicks))],
            Requests = [.. (account.LastRequests?.Read() ?? []).Select(Read)],
        };
    }

    private static ExplorerContainer Read(ContainerResource container, long nowTicks)
    {
        List<ExplorerPartition> partitions = [.. container.Map.Live.Select(partition => Read(partition, nowTicks))];
        return new ExplorerContainer(
            container.Database.Name, container.Name, container.Settings.PartitionKeyPath, container.Offer.Throughput,
            container.Offer.Autoscale, partitions.Sum(partition => partition.Documents), partitions);
    }

    private static ExplorerPartition Read(PhysicalPartition partition, long nowTicks)
    {
        long second = AccountClock.UnixSecond(nowTicks) - 1;
        IReadOnlyList<SecondLedger> seconds = partition.ReadSeconds(second - SecondsShown + 1);
        PartitionFigures figures = partition.ReadFigures(nowTicks);
        return new ExplorerPartition(
            partition.Id, figures.Documents, figures.BudgetPerSecond, figures.RequestUnits, figures.Throttled,
            [.. seconds.Where(one => one.Second <= second)]);
    }

    private static ExplorerRequest Read(PastRequest request) => new(
        new DateTimeOffset(request.AtTicks, TimeSpan.Zero), request.Mode.ToString(), $"{request.Operation} {request.Resource}",
        request.Container, request.Partition, request.Status, request.SubStatus, request.Charge.Value);
}

internal sealed record ExplorerContainer(
    string Database, string Name, string PartitionKeyPath, int Throughput, bool Autoscale, long Documents,
    IReadOnlyList<ExplorerPartition> Partitions);

/// <param name="Id">Id of the partition key range.</param>
/// <param name="Documents">Documents it holds.</param>
/// <param name="BudgetPerSecond">Its share of the throughput, in RU/s.</param>
/// <param name="RequestUnits">RU charged since it began.</param>
/// <param name="Throttled">Operations that got a 429 since it began.</param>
/// <param name="LastSeconds">The seconds in which anything was charged or throttled.</param>
internal sealed record ExplorerPartition(
    string Id, long Documents, double BudgetPerSecond, double RequestUnits, long Throttled, IReadOnlyList<SecondLedger> LastSeconds);

internal sealed record ExplorerRequest(
    DateTimeOffset At, string Mode, string What, string? Container, string? Partition, int Status, int SubStatus, double RequestUnits);
