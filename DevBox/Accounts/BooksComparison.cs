using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Simulator.Books;
using Figures = ScaleOut.DevBox.Display.Figures;

namespace ScaleOut.DevBox.Accounts;

/// <summary>Holds a run's report against the simulated account's own books.</summary>
internal static class BooksComparison
{
    /// <summary>By how much the RU may differ, as a share: they are sums of many decimals.</summary>
    public const double RequestUnitTolerance = 0.001;

    /// <summary>What differs, in sentences; empty when the two agree.</summary>
    /// <remarks>After lost legs and lost answers only the documents can be compared: what those were charged nobody was told.</remarks>
    public static IReadOnlyList<string> Differences(RunReport report, AccountBooks books, ContainerTarget target)
    {
        var container = books.Containers.LastOrDefault(candidate => candidate.Database == target.Database && candidate.Name == target.Name);
        if (container is null)
            return [$"the books know no container {target.Database}/{target.Name}"];

        var differences = new List<string>();
        var created = container.Documents.Created + container.Documents.UpsertedNew;
        if (report.Documents.Verified is { } verified && verified != created)
            differences.Add($"{Figures.Count(verified)} documents counted, {Figures.Count(created)} in the books");
        if (report.LostLegs == 0 && report.Documents.Inserted != created)
            differences.Add($"{Figures.Count(report.Documents.Inserted)} documents inserted, {Figures.Count(created)} in the books");
        if (report.LostLegs > 0 || report.Requests.OtherErrors > 0)
            return differences;

        OperationCounts[] writes = [container.Operations.Create, container.Operations.Upsert, container.Operations.Batch];
        var throttled = writes.Sum(counts => counts.Throttled);
        if (report.Requests.Throttled != throttled)
            differences.Add($"{Figures.Count(report.Requests.Throttled)} operations throttled, {Figures.Count(throttled)} in the books");
        var requestUnits = writes.Sum(counts => counts.RequestUnits);
        if (Math.Abs(report.RequestUnits.Total - requestUnits) > RequestUnitTolerance * requestUnits)
            differences.Add($"{Figures.Decimal(report.RequestUnits.Total)} RU, {Figures.Decimal(requestUnits)} in the books");
        return differences;
    }
}
