namespace ScaleOut.Specs;

/// <summary>One of several kinds of documents in a container.</summary>
public sealed record DocumentPart
{
    private const int MaxWeight = 1_000;

    /// <summary>Kept because a spec of documents is known by its instance (<see cref="DocumentShape.From"/>).</summary>
    private static readonly ConditionalWeakTable<DocumentPart, DocumentSpec> Specs = [];

    [SpecField("Weight among the kinds: 70 beside 30 is 70% of the documents.", Required = true, Min = 1, Max = MaxWeight)]
    public int Weight { get; init; }

    [SpecField("perfTest, device or template; template when there is one.")]
    public DocumentKind Kind
    {
        get => Template is not null && field == DocumentKind.PerfTest ? DocumentKind.Template : field;
        init;
    }

    [JsonConverter(typeof(RawJsonConverter))]
    [SpecField("A JSON object with placeholders, as document.template.", MaxLength = DocumentSpec.MaxTemplateLength)]
    public string? Template { get; init; }

    /// <summary>The documents of this kind alone.</summary>
    [JsonIgnore]
    public DocumentSpec Document => Specs.GetValue(this, part => new DocumentSpec { Kind = part.Kind, Template = part.Template });
}

/// <summary>Which of several kinds a document is: a function of its number alone, so that a leg that runs again writes the same.</summary>
public static class DocumentMix
{
    /// <summary>Separates the draw from others of the same number.</summary>
    private const ulong Purpose = 0x6B696E64;

    /// <summary>Index of a document's kind. Each number draws by the weights, whatever its place in a batch or in a mix.</summary>
    public static int IndexOf(IReadOnlyList<DocumentPart> kinds, long number)
    {
        // Each operation asks for it, so that it allocates nothing.
        var all = 0;
        for (var i = 0; i < kinds.Count; i++)
            all += kinds[i].Weight;
        var left = SplitMix64.ShareOf(SplitMix64.At(SplitMix64.At((ulong)number + SplitMix64.Gamma) ^ Purpose)) * all;
        for (var i = 0; i < kinds.Count - 1; i++)
        {
            if (left < kinds[i].Weight)
                return i;
            left -= kinds[i].Weight;
        }

        return kinds.Count - 1;
    }

    /// <summary>
    /// The spec for each kind of its documents alone, with the kind's share of the documents. Other specs are one kind with share 1.
    /// </summary>
    public static IReadOnlyList<(double Share, RunSpec Spec)> ByKind(RunSpec spec)
    {
        if (spec.Document.Kinds is not { } kinds)
            return [(1, spec)];
        var key = spec.Container.PartitionKeyPaths is null ? spec.Container.KeyPathsFor(spec.Document)[0] : null;
        var container = spec.Container with { PartitionKeyPath = key };
        return [.. kinds.Select(one => (
            one.Weight / (double)kinds.Sum(kind => kind.Weight), spec with { Document = one.Document, Container = container }))];
    }
}
