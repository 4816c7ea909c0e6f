namespace ScaleOut.Charges;

/// <summary>
/// What the parts of a query's page cost, for each page of each physical partition. Sizes of documents are stored sizes. The defaults meet
/// nine charges of 2020 to 2026 and are checked by 56 others, see docs/charges.md.
/// </summary>
public sealed record QueryCharges
{
    private const double BytesPerKilobyte = 1_024;

    [SpecField("RU of each page from each physical partition, also of an empty one.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Page { get; init; } = 2.25;

    [SpecField("RU of a page that the index serves by a condition or ORDER BY.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double FirstLookup { get; init; } = 0.55;

    [SpecField("RU of each further condition, ORDER BY or value of IN.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double FurtherLookup { get; init; } = 0.1;

    [SpecField("RU of each document loaded, also of one that a scan rejects.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Document { get; init; } = 0.005;

    [SpecField("RU of each KB loaded, and of each KB of projected results.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Kilobyte { get; init; } = 0.009;

    [SpecField("RU of each document that the index finds, besides.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Found { get; init; } = 0.013;

    [SpecField("RU of each KB of documents that are returned whole, besides.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double WholeKilobyte { get; init; } = 0.027;

    [SpecField("RU of each document on which a projection or a condition without index is evaluated, besides.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Evaluated { get; init; } = 0.0036;

    [SpecField("RU of each property of projected results.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Property { get; init; } = 0.0018;

    [SpecField("RU of each row that JOIN or another FROM makes of a document, besides.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double Row { get; init; } = 0.02;

    /// <summary>Look-ups of a COUNT that the index serves, which loads no document.</summary>
    public const int LookupsOfCount = 2;

    /// <summary>RU of a page without its documents; not rounded.</summary>
    /// <param name="lookups">Conditions, further values of IN and ORDER BY that the index serves.</param>
    public double OfPage(int lookups) => Page + (lookups > 0 ? FirstLookup + (FurtherLookup * (lookups - 1)) : 0);

    /// <summary>RU of a document that a page loads; not rounded.</summary>
    /// <param name="isFound">Whether the index finds it. If not, a scan passes it.</param>
    /// <param name="isEvaluated">Whether a condition that no index serves is evaluated on it, or an aggregate.</param>
    public double OfLoaded(long storedBytes, bool isFound, bool isEvaluated) =>
        Document + (Kilobyte * storedBytes / BytesPerKilobyte) + (isFound ? Found : 0) + (isEvaluated ? Evaluated : 0);

    /// <summary>RU of a document that is returned as it is, besides loading it; not rounded.</summary>
    public double OfWhole(long storedBytes) => WholeKilobyte * storedBytes / BytesPerKilobyte;

    /// <summary>RU of a result that is projected from a document, besides loading it; not rounded.</summary>
    /// <param name="bytes">The result's JSON.</param>
    /// <param name="properties">Of an object, elements of an array, 1 for a scalar.</param>
    /// <param name="wasEvaluated">Whether loading it has paid for the evaluation.</param>
    public double OfProjected(long bytes, int properties, bool wasEvaluated) =>
        (wasEvaluated ? 0 : Evaluated) + (Property * properties) + (Kilobyte * bytes / BytesPerKilobyte);
}
