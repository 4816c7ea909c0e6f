namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Says of a run what was found damaged in the run store, and what is missing for that.</summary>
internal static class DamagedEvidence
{
    /// <summary>Most damaged items that are named one by one.</summary>
    public const int MaxNamed = 10;

    /// <summary>What each leg without a result means for the run.</summary>
    public static IReadOnlyList<string> MissingLegs(RunSpec spec, LegHarvest legs) => legs.Missing.Count <= MaxNamed
        ? [.. legs.Missing.Select(leg => Describe(spec, leg, legs))]
        :
        [
            .. legs.Missing.Take(MaxNamed).Select(leg => Describe(spec, leg, legs)),
            $"{Numbers.Count(legs.Missing.Count - MaxNamed)} more legs are missing.",
        ];

    /// <summary>What was damaged, and did no harm to the figures.</summary>
    public static IEnumerable<string> Warnings(LegHarvest legs)
    {
        var harmless = legs.Damaged.Where(item => !legs.Missing.Any(leg => IsOf(leg, item))).ToList();
        foreach (var item in harmless.Take(MaxNamed))
            yield return $"{item.Text}{Consequence(item, legs)}.";
        if (harmless.Count > MaxNamed)
            yield return $"{Numbers.Count(harmless.Count - MaxNamed)} more items of the run were found damaged.";
    }

    private static string Describe(RunSpec spec, MissingLeg leg, LegHarvest legs)
    {
        var found = legs.Damaged.LastOrDefault(item => IsOf(leg, item) && item.Name.Item == LegItem.Damaged);
        var cause = found is null ? $"{spec.Id}/{LegNames.Result(leg.Worker, leg.Leg)} is missing" : found.Text;
        var documents = leg.Documents is { } count
            ? $"{Words.Amount(count, "document")} that it did count as remaining"
            : "the documents that it did count as remaining";
        return FormattableString.Invariant($"Leg {leg.Leg} of worker {leg.Worker} is in no figure of this report: {cause}; {documents}.");
    }

    private static string Consequence(DamagedItem item, LegHarvest legs) =>
        item.Name.Item == LegItem.Attempt ? "; it is counted as a lost leg all the same"
        : legs.Results.Any(result => IsOf(result.Output, item)) ? ", and its leg was run again"
        : ", and no leg needs it";

    private static bool IsOf(LegOutput leg, DamagedItem item) => (leg.Worker, leg.Leg) == (item.Name.Worker, item.Name.Leg);

    private static bool IsOf(MissingLeg leg, DamagedItem item) => (leg.Worker, leg.Leg) == (item.Name.Worker, item.Name.Leg);
}
