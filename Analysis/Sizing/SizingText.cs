using System.Globalization;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Sizing;

/// <summary>Says a sizing in words.</summary>
internal static class SizingText
{
    private const double BytesPerGigabyte = 1e9;

    public static IEnumerable<string> Sentences(SizingResult result, SizingBasis basis)
    {
        if (result.Workers.Estimate is null && result.HighestRate is null)
            yield return $"Not measured: at most {Words.Amount(basis.MostMeasured, "worker")} {WereIn(basis)}, and they wrote "
                + $"{Numbers.Brief(basis.HighestRate)} documents a second; "
                + (result.Prediction is { PerSecond: { } predicted } prediction
                    ? PredictionText(prediction, predicted, result.Request.InsertsPerSecond)
                    : $"nothing is said of the workers that {Numbers.Brief(result.Request.InsertsPerSecond)} take, "
                        + $"{Numbers.Brief(result.Request.InsertsPerSecond / basis.HighestRate)} times as many.");
        yield return $"For {Numbers.Brief(result.Request.InsertsPerSecond)} inserts a second: "
            + $"{Numbers.Count(result.RequestUnitsPerSecond)} RU/s "
            + $"({Numbers.Brief(basis.RequestUnitsPerInsert)} RU each, {Numbers.Percent(result.Request.Headroom)} kept spare), "
            + $"{Words.Amount(result.PhysicalPartitions, "physical partition")}, {WorkersText(result)}"
            + $"{Numbers.Brief(result.DocumentsPerHour)} documents an hour"
            + (result.Simulated ? "; measured on the simulated account." : ".");
        if (result is { Instance: { } instance, Workers.Estimate: not null })
            yield return $"A worker instance is what it was when it was measured: {instance}.";
        if (result.PhysicalPartitionsForStorage is { } forStorage && result.Request.Documents is { } documents)
            yield return $"To hold {Numbers.Count(documents)} documents "
                + $"({Numbers.Brief(documents * basis.DocumentBytes / BytesPerGigabyte)} GB without the index) takes "
                + $"{Words.Amount(forStorage, "physical partition")} of 50 GB.";
        else
        {
            var hours = result.PhysicalPartitions * SizingCalculation.BytesPerPartition / BytesPerGigabyte / result.GigabytesPerHour;
            yield return $"An hour adds {Numbers.Brief(result.GigabytesPerHour)} GB without the index; the "
                + $"{Words.Amount(result.PhysicalPartitions, "physical partition")} of 50 GB "
                + $"would be full after {Numbers.Brief(hours)} hours.";
        }

        if (basis.Scalability?.Law is not null)
            yield return LimitText(result, basis);
        if (result.Cost is { } cost)
            yield return CostText(cost);
    }

    public static IEnumerable<string> Extrapolations(SizingResult result, SizingBasis basis)
    {
        var rate = result.Request.InsertsPerSecond;
        if (rate > basis.HighestRate)
            yield return $"The rate is {Numbers.Brief(rate / basis.HighestRate)} times the highest that was measured, "
                + $"{Numbers.Brief(basis.HighestRate)} a second.";
    }

    /// <summary>Why nothing is said of the number of workers.</summary>
    public static string NotMeasured(SizingBasis basis) =>
        $"not measured: at most {Words.Amount(basis.MostMeasured, "worker")} {WereIn(basis)}, and they wrote "
            + $"{Numbers.Brief(basis.HighestRate)} a second{(Bound(basis) is { } bound ? $", where {bound}" : "")}";

    private static string WereIn(SizingBasis basis) => basis.MostMeasured == 1 ? "was" : "were";

    private static string? Bound(SizingBasis basis) => basis.Scalability?.Law is not null ? null : basis.BoundBy switch
    {
        BoundBy.RequestUnits => "request units bound the runs",
        BoundBy.Partition => "one physical partition bound the runs",
        BoundBy.Machine => "the shared machine bound the runs",
        BoundBy.Rate => "the runs kept the rate that they were asked for",
        _ => null,
    };

    public static IEnumerable<string> Notes(SizingResult result, SizingBasis basis)
    {
        if (result.Workers.Estimate is not null && Bound(basis) is { } bound)
            yield return $"The workers could have done more, because {bound}: so many workers are enough, and fewer may be.";
        if (result.Workers.Reason is { } reason)
            yield return $"Workers: {reason}.";
        foreach (var note in result.Prediction?.Notes ?? [])
            yield return $"Prediction: {note}.";
    }

    /// <summary>What a simulation says beyond the measurements.</summary>
    private static string PredictionText(WorkerPrediction prediction, double perSecond, double asked)
    {
        var stoppedBy = prediction.BoundBy switch
        {
            BoundBy.RequestUnits => "request units",
            BoundBy.Partition => "one physical partition",
            BoundBy.Client => "the clients' CPU",
            BoundBy.Rate => "nothing but the rate that each is asked for",
            _ => "latency, with the operations that each has in flight",
        };
        return prediction.Workers is { } workers
            ? $"predicted by simulating the fleet in virtual time: {Words.Amount(workers, "instance")} of {prediction.Instance} write "
                + $"{Numbers.Brief(perSecond)} a second with a p99 of {Numbers.Brief(prediction.P99Ms)} ms, bound by {stoppedBy}."
            : $"predicted by simulating fleets in virtual time: no number of instances of {prediction.Instance} reaches "
                + $"{Numbers.Brief(asked)} a second; the most was {Numbers.Brief(perSecond)}, bound by {stoppedBy}.";
    }

    /// <summary>With the comma behind it; nothing where their number is not known.</summary>
    private static string WorkersText(SizingResult result)
    {
        var need = result.Workers;
        if (need.Estimate is not { } workers)
            return result.Prediction?.Workers is { } predicted ? $"{Words.Amount(predicted, "worker instance")} (predicted), " : "";
        var estimate = Words.Amount(workers, "worker instance");
        return !need.HasInterval || need.Low is not { } low ? $"{estimate}, "
            : need.High is { } high ? $"{estimate} ({Numbers.Count(low)} to {Numbers.Count(high)} at 95%), "
            : $"{estimate} ({Numbers.Count(low)} and more at 95%), ";
    }

    private static string LimitText(SizingResult result, SizingBasis basis) => (result.StopsHelpingAt, result.HighestRate) switch
    {
        ({ } peak, { } limit) =>
            $"By the scalability law more than {Numbers.Count((long)Math.Round(peak))} workers stop helping{PeakText(result)}; the most "
                + $"that any number reaches is {Numbers.Brief(limit)} a second.",
        _ => $"By the scalability law every one of the {Numbers.Count(basis.MostMeasured)} workers added to the rate.",
    };

    private static string PeakText(SizingResult result) => result.StopsHelpingAt95 switch
    {
        { Low: { } low, High: { } high } => string.Create(
            CultureInfo.InvariantCulture, $" ({Numbers.Count((long)Math.Round(low))} to {Numbers.Count((long)Math.Round(high))} at 95%)"),
        { Low: { } low } =>
            string.Create(CultureInfo.InvariantCulture, $" ({Numbers.Count((long)Math.Round(low))} or more at 95%, perhaps none)"),
        _ => "",
    };

    private static string CostText(SizingCost cost)
    {
        var from = cost.PriceSource is { } source ? $", by {source}" : "";
        return cost is { PerHour: { } hour, PerMillion: { } million, InstancesPerHour: { } instances }
            ? $"Cost: {Numbers.Brief(hour)} {cost.Currency} an hour ({Numbers.Brief(cost.RequestUnitsPerHour)} for RU/s, "
                + $"{Numbers.Brief(instances)} for instances), {Numbers.Brief(million)} {cost.Currency} a million inserts{from}."
            : $"Cost: {Numbers.Brief(cost.RequestUnitsPerHour)} {cost.Currency} an hour for RU/s, that of the workers is not known{from}.";
    }
}
