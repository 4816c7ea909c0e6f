using ScaleOut.Specs.Reading;

namespace ScaleOut.Findings;

/// <summary>The fields of a <see cref="FindingSpec"/>, for reading plans and for their JSON schema. Rules across fields are in <see cref="FindingRules"/>.</summary>
internal static class FindingSpecFields
{
    private const int LongestName = 200;
    private const double LargestRatio = 1e9;

    private static readonly TextForm FindingId = new("a finding's id such as \"direct-2\" (letters, digits and '-', at most 40 characters)", "^[A-Za-z0-9][A-Za-z0-9-]{0,39}$", 40);


    public static FindingSpec Read(ISpecObject finding) => new()
    {
        Id = finding.Field("id", "Name of its own; the kind's name when left out.").Text(FindingId),
        Kind = finding.Required("kind", "What is claimed.").Choice<FindingKind>() ?? default,
        Variants = finding.Field("variants", "Names of the variants that test it, the baseline first; ladders ascend.")
            .List(item => item.Text(TextForm.Free(LongestName)) ?? "", 0, FindingRules.MostVariants, unique: true) ?? [],
        Threshold = finding.Field("threshold", "For a claim of a gain the factor to exceed (1 when left out); for a claim of sameness the largest factor that counts as the same (1.0526 when left out).")
            .Number(1, 1_000),
        Published = finding.Field("published", "What somebody else measured, shown beside the effect.").Object(Published),
    };

    private static PublishedValue Published(ISpecObject published) => new()
    {
        Value = published.Required("value", "The same ratio as the finding's effect.").Number(0, LargestRatio, aboveMinimum: true) ?? 1,
        Source = published.Required("source", "Where it stands, such as 'insert-1m.csv, tests 1 and 2'.").Text(TextForm.Free(LongestName)) ?? "",
    };
}
