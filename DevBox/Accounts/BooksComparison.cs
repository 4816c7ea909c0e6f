using ScaleOut.DevBox.Display;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Simulator.Books;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Accounts;

/// <summary>Holds a run's report against the simulated account's own books.</summary>
internal static class BooksComparison
{
    /// <summary>By how much the RU may differ, as a share: they are sums of many decimals.</summary>
    public const double RequestUnitTolerance = 0.001;

    /// <summary>RU that counting a container costs on each of its partitions, at most.</summary>
    private const double MostPerCountedPartition = 20;

    /// <summary>What differs, in sentences; empty when the two agree.</summary>
    /// <remarks>After lost legs and lost answers only the documents can be compared: what those were charged nobody was told.</remarks>
    public static IReadOnlyList<string> Differences(RunReport report, AccountBooks books, ContainerTarget target)
    {
        var container = books.Containers.LastOrDefault(candidate => candidate.Database == target.Database && candidate.Name == target.Name);
        if (container is null)
            return [$"the books know no container {target.Database}/{target.Name}"];

        var differences = Documents(report, container);
        if (report.LostLegs > 0 || report.Requests.OtherErrors > 0)
            return differences;

        var operations = Operations(report.Spec.Workload.Kind, container.Operations);
        var throttled = operations.Sum(counts => counts.Throttled);
        if (report.Requests.Throttled != throttled)
            differences.Add($"{ConsoleNumbers.Count(report.Requests.Throttled)} operations throttled, {ConsoleNumbers.Count(throttled)} in the books");
        // Clients warm up by reads, and the container is counted by queries before the run.
        var requestUnits = operations.Sum(counts => counts.RequestUnits);
        var known = report.RequestUnits.Total + (report.Spec.Workload.Kind == WorkloadKind.Read ? report.RequestUnits.Warmup : 0);
        var uncounted = report.Spec.Workload.Kind == WorkloadKind.Query ? container.Partitions.Count * MostPerCountedPartition : 0;
        if (known - requestUnits > RequestUnitTolerance * requestUnits || requestUnits - known > (RequestUnitTolerance * requestUnits) + uncounted)
            differences.Add($"{ConsoleNumbers.Decimal(known)} RU, {ConsoleNumbers.Decimal(requestUnits)} in the books");
        return differences;
    }

    private static List<string> Documents(RunReport report, ContainerBooks container)
    {
        var differences = new List<string>();
        var kind = report.Spec.Workload.Kind;
        if (kind.LeavesCount())
            return differences;
        var isDelete = kind == WorkloadKind.Delete;
        var changed = isDelete ? container.Documents.Deleted : container.Documents.Created + container.Documents.UpsertedNew;
        if (report.Documents.Verified is { } verified && verified != changed)
            differences.Add($"{ConsoleNumbers.Count(verified)} documents counted{(isDelete ? " as gone" : "")}, {ConsoleNumbers.Count(changed)} in the books");
        if (report.LostLegs == 0 && report.Documents.Inserted != changed)
            differences.Add($"{ConsoleNumbers.Count(report.Documents.Inserted)} documents {(isDelete ? "deleted" : "inserted")}, {ConsoleNumbers.Count(changed)} in the books");
        return differences;
    }

    private static OperationCounts[] Operations(WorkloadKind kind, OperationBooks books) => kind switch
    {
        WorkloadKind.Read => [books.Read],
        WorkloadKind.Query => [books.Query],
        WorkloadKind.Delete => [books.Delete],
        _ => [books.Create, books.Upsert, books.Batch],
    };
}
