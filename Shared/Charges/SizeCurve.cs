namespace ScaleOut.Charges;

/// <summary>A point of a table: the charge of an operation on a document of one size.</summary>
/// <param name="Bytes">The document's JSON in UTF-8, above 0.</param>
/// <param name="RequestUnits">0 and more.</param>
public sealed record SizeCharge(
    [property: SpecField("Size of the document.", Required = true, Min = 1, Max = SizeCharge.MaxBytes)] long Bytes,
    [property: SpecField("What it is charged.", Required = true, Min = 0, AboveMin = true, Max = SizeCharge.MaxRequestUnits)]
    double RequestUnits)
{
    /// <summary>Largest charge that can be given.</summary>
    public const double MaxRequestUnits = 100_000;

    /// <summary>Twice the largest size of a document.</summary>
    private const int MaxBytes = 4 * 1_024 * 1_024;
}

/// <summary>
/// The charge as a function of the size, exact at the points of a table. Beyond the last point it grows in proportion to the size, as the
/// documented tables do from 1 MB to 2 MB.
/// </summary>
internal sealed class SizeCurve
{
    private readonly long[] _sizes;
    private readonly double[] _charges;
    private readonly double[] _logs;
    private readonly double[] _slopes;

    /// <param name="points">At least two, by ascending size.</param>
    /// <exception cref="ArgumentException">Fewer than two points, or sizes that do not ascend from above 0.</exception>
    public SizeCurve(IReadOnlyList<SizeCharge> points)
    {
        if (points.Count < 2 || points[0].Bytes <= 0 || points.Zip(points.Skip(1)).Any(pair => pair.First.Bytes >= pair.Second.Bytes))
            throw new ArgumentException("A curve needs at least two points, by ascending size from above 0 bytes.", nameof(points));
        _sizes = [.. points.Select(point => point.Bytes)];
        _charges = [.. points.Select(point => point.RequestUnits)];
        _logs = [.. _sizes.Select(size => Math.Log2(size))];
        _slopes = [.. Enumerable.Range(0, _sizes.Length - 1).Select(i => (_charges[i + 1] - _charges[i]) / (_logs[i + 1] - _logs[i]))];
    }

    /// <summary>The charge of the next point up: that of the smallest size of the table that is at least as large.</summary>
    public double At(long bytes)
    {
        for (var i = 0; i < _sizes.Length; i++)
        {
            if (bytes <= _sizes[i])
                return _charges[i];
        }

        return _charges[^1] * bytes / _sizes[^1];
    }

    /// <summary>
    /// A charge without steps: linear in the logarithm of the size between two points, and in proportion to the size below the first one.
    /// </summary>
    public double Smooth(long bytes)
    {
        if (bytes < _sizes[0])
            return _charges[0] * bytes / _sizes[0];
        if (bytes >= _sizes[^1])
            return _charges[^1] * bytes / _sizes[^1];
        var i = 0;
        while (bytes >= _sizes[i + 1])
            i++;
        return _charges[i] + (_slopes[i] * (Math.Log2(bytes) - _logs[i]));
    }

    /// <summary>
    /// A table with the steps of <paramref name="documented"/> that has the charges of measured documents. A measured charge is that of the
    /// whole step that its size belongs to; of several in one step the largest counts. Steps between two measured ones lie between their
    /// charges as they do in the documented table. Those outside keep their documented ratio to the nearest measured one.
    /// </summary>
    /// <param name="measured">At least one, by ascending size.</param>
    public static IReadOnlyList<SizeCharge> FromMeasured(IReadOnlyList<SizeCharge> documented, IReadOnlyList<SizeCharge> measured)
    {
        var curve = new SizeCurve(documented);
        var known = measured.GroupBy(point => curve.At(point.Bytes))
            .Select(step => (Documented: step.Key, Charge: step.Max(point => point.RequestUnits))).ToList();
        return [.. documented.Select(step => step with { RequestUnits = Math.Round(ChargeOf(step.RequestUnits), 6) })];

        double ChargeOf(double charge)
        {
            var next = known.FindIndex(step => step.Documented >= charge);
            if (next <= 0)
            {
                var nearest = known[next < 0 ? ^1 : 0];
                return nearest.Charge * charge / nearest.Documented;
            }

            var (low, high) = (known[next - 1], known[next]);
            return low.Charge + ((high.Charge - low.Charge) * (charge - low.Documented) / (high.Documented - low.Documented));
        }
    }
}

/// <summary>What a charge model may do with a published figure.</summary>
internal enum ChargeUse
{
    /// <summary>The model is fitted to the figure.</summary>
    Fit,

    /// <summary>
    /// The form of the model was chosen to meet the figure, so the figure does not show the model's error. No parameter is fitted to it.
    /// </summary>
    Form,

    /// <summary>An example of the documentation that repeats figures stated elsewhere. The model never sees it.</summary>
    Example,

    /// <summary>The model never sees the figure, which shows how far the model is off.</summary>
    HoldOut,
}

/// <summary>A published charge.</summary>
internal sealed record ChargePoint
{
    /// <summary>Largest relative error of a held-out point that needs no <see cref="Reason"/>; none does within its rounding.</summary>
    public const double Tolerance = 0.3;

    /// <summary>The charged operation, in a few words.</summary>
    public required string Name { get; init; }

    public required ChargedOperation Operation { get; init; }

    /// <summary>The charge that the source states.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>What <see cref="RequestUnits"/> was rounded to; 0 if it is not known.</summary>
    public double RoundedTo { get; init; }

    /// <summary>Where it is published, and when.</summary>
    public required string Source { get; init; }

    public required ChargeUse Use { get; init; }

    /// <summary>An assumption about something that the source does not state; null if none was needed.</summary>
    public string? Assumes { get; init; }

    /// <summary>Why the model is off by more than <see cref="Tolerance"/>; null if it is not.</summary>
    public string? Reason { get; init; }

    internal static ChargePoint Create(
        ChargeUse use, string name, ChargedOperation operation, double requestUnits, string source, string? assumes) => new()
    {
        Use = use, Name = name, Operation = operation, RequestUnits = requestUnits, Source = source, Assumes = assumes,
    };

    /// <summary>Relative error of a model's charge: above 0 if the model charges more than was published.</summary>
    public double ErrorOf(ChargeModel model) => (Operation.ChargeBy(model) / RequestUnits) - 1;

    /// <summary>Whether a model's charge could be the published one before it was rounded.</summary>
    public bool IsWithinRounding(ChargeModel model) => Math.Abs(Operation.ChargeBy(model) - RequestUnits) <= (RoundedTo / 2) + 1e-9;
}

/// <summary>Sources of the published charges.</summary>
internal static class ChargeSources
{
    public const long Kilobyte = 1_024;

    public const string Consumption = "Azure Cosmos DB documentation, Understand request units consumption, April 2026";
    public const string QueryMetrics = "Azure Cosmos DB documentation, SQL query metrics, example of a response of June 2017";
    public const string OptimizeCost = "Azure Cosmos DB documentation, Optimize request cost, example of query metrics";
    public const string Troubleshoot = "Azure Cosmos DB documentation, Troubleshoot query issues, January 2020";
    public const string IotKeys = "Azure Cosmos DB documentation, Choosing a partition key for IoT workloads, November 2024";
    public const string RequestUnits2017 = "Azure Cosmos DB documentation, Request Units, 2017";
    public const string Payloads = "public measurement of 2020: one text as payload, only the key's path indexed; rounded to 1 RU";
    public const string Lab = "public training lab, 2021";
    public const string BulkExecutor = "read-me of the bulk executor: 72,481 RU/s for 10,280 writes/s";
    public const string OlderConsumption = "Azure Cosmos DB documentation, Request Units, 2019 and 2020";
}
