namespace ScaleOut.DevBox.Display;

/// <summary>What the spec of a run means in documents, request units, partitions and money.</summary>
internal static class EstimateLines
{
    private const int SampledDocuments = 100;
    private const int MaxShown = 2_000;

    /// <param name="prices">Null for no cost.</param>
    /// <exception cref="DocumentException">The documents cannot be made, such as from a CSV file that is broken.</exception>
    public static IEnumerable<string> From(RunSpec spec, RunTarget target, RunEstimate estimate, PriceList? prices)
    {
        var usesTables = spec.Workload.Kind.UsesTables();
        foreach (var (share, of) in DocumentMix.ByKind(spec))
        {
            var first = FirstOf(of, out var source);
            yield return $"  document       {(share < 1 ? $"{Numbers.Percent(share)} " : "")}{DocumentOf(of, source, first)}";
            foreach (var line in usesTables ? [] : ChargeLines.From(of, first, prices))
                yield return line;
        }

        if (!usesTables)
            yield return $"  request units  {RequestUnitsOf(spec, estimate)}";
        if (!usesTables && spec.SaysThroughput(target))
            yield return $"  partitions     {PartitionsOf(spec, target)}";
        foreach (var line in prices is null ? [] : CostLinesOf(spec, estimate, prices))
            yield return line;
    }

    /// <summary>What Azure charges for the throughput, by hour and month, and for the run.</summary>
    public static IEnumerable<string> CostLinesOf(RunSpec spec, RunEstimate estimate, PriceList prices)
    {
        const string Cost = "  cost           ";
        var hour = RunUsage.From(spec, RunUsage.SecondsPerHour).ThroughputHours * prices.RequestUnitPerSecondHour;
        if (hour > 0)
            yield return $"{Cost}{Money(hour)} an hour, {Money(hour * MonthCost.Hours)} a month of {MonthCost.Hours:0} hours, for "
                + $"{Numbers.Count(spec.Container.Throughput)} RU/s{(spec.Container.Autoscale ? ", the maximum of autoscale" : "")}";
        if (estimate.Seconds is { } seconds)
        {
            var run = RunCost.From(prices, [(spec, seconds)]);
            yield return $"{Cost}{Money(run.Amount)} for this run in Azure: {run.SumText}, "
                + "with each hour of throughput that it begins";
        }

        if (prices.Source is { } source)
            yield return $"                 prices: {source}";

        string Money(double amount) => Numbers.Money(amount, prices.Currency);
    }

    private static byte[] FirstOf(RunSpec spec, out IDocumentSource source)
    {
        source = DocumentSources.For(spec, "sample");
        var buffer = new byte[source.MaxBytes];
        return buffer[..source.Write(0, source.KeyOf(0), buffer)];
    }

    /// <summary>The size of some documents, and the first of them.</summary>
    private static string DocumentOf(RunSpec spec, IDocumentSource source, byte[] first)
    {
        var numbers = Enumerable.Range(0, (int)Math.Min(SampledDocuments, spec.Documents)).Select(number => (long)number);
        List<double> sizes = [.. DocumentSources.SizesOf(source, numbers).Select(size => (double)size)];
        var document = Encoding.UTF8.GetString(first);
        var range = sizes.Min() == sizes.Max() ? "" : $" ({Numbers.Range(sizes, size => Numbers.Count(size!.Value))})";
        var which = document.Length > MaxShown ? "one that begins with " : "";
        var documents = spec.Workload.NeedsDocuments ? spec.PreloadOf() : spec.Documents;
        var repeated = source.RepeatsAfter is { } rows && rows < documents
            ? $"; the {Words.Amount(rows, "row")} of the file repeat in {Numbers.Count(documents)} documents, each with its own id"
            : "";
        return $"{Numbers.Count(sizes.Average())} bytes{range}, such as {which}{ShortText.From(document, MaxShown)}{repeated}";
    }

    private static string RequestUnitsOf(RunSpec spec, RunEstimate estimate)
    {
        var one = WorkloadWords.From(spec.Workload.Kind).One;
        var preload = estimate.PreloadRequestUnits > 0
            ? $", and {Numbers.Count((long)Math.Round(estimate.PreloadRequestUnits))} for the documents that are written before"
            : "";
        var each = Numbers.Brief(estimate.RequestUnits / spec.Documents);
        var steps = spec.Workload.Action is { } action
            ? $" ({string.Join(" + ", action.Select(kind =>
                $"{JsonNamingPolicy.CamelCase.ConvertName($"{kind}")} {Numbers.Brief(RunEstimate.ChargeOf(spec, kind))}"))})"
            : "";
        var assumed = RunEstimate.AssumesEntries(spec) ? "; that no two elements of an array are equal is assumed" : "";
        return $"{Numbers.Count((long)Math.Round(estimate.RequestUnits))}, {each} for each {one}{steps}{preload}{assumed}";
    }

    private static string PartitionsOf(RunSpec spec, RunTarget target)
    {
        var container = spec.Container;
        var partitions = target == RunTarget.SimulatedAccount
            ? (spec.Simulation ?? new SimulationSpec()).PartitionsFor(container)
            : SimulationSpec.ServicePartitionsFor(container.Throughput, container.IsDense);
        var each = Numbers.Brief((double)container.Throughput / partitions);
        return $"{Numbers.Count(partitions)} physical, each with {each} of the {Numbers.Count(container.Throughput)} RU/s"
            + $"{(container.SharedThroughput ? ", which the containers of the database share" : "")}; "
            + $"the key is {container.KeyTextFor(spec.Document)}";
    }
}
