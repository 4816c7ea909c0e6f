using ScaleOut.Experiments;

namespace ScaleOut.Analysis.Findings.Catalog;

/// <summary>What there is to know of a kind of finding before anything is measured.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Name">Its name in specs and reports.</param>
/// <param name="Claim">As a sentence, with the default threshold.</param>
/// <param name="Variants">How many variants test it, and what each is.</param>
/// <param name="AssumedFrom">
/// What the effect follows from on the simulated account, and where it does not; null for an effect that always emerges.
/// </param>
public sealed record FindingDescription(FindingKind Kind, string Name, string Claim, string Variants, string? AssumedFrom)
{
    /// <summary>Where its effect comes from on the simulated account, in words.</summary>
    public string OnTheSimulatedAccount => AssumedFrom is { } parameters ? $"*assumed* from {parameters}" : "*emergent*";

    /// <summary>Every kind, in the order of <see cref="FindingKind"/>.</summary>
    public static IReadOnlyList<FindingDescription> All { get; } = [.. Enum.GetValues<FindingKind>().Select(From)];

    private static FindingDescription From(FindingKind kind)
    {
        var test = FindingCatalog.TestOf(kind);
        return new(kind, FindingCatalog.NameOf(kind), FindingCatalog.ClaimOf(kind), test.Roles.Text, test.AssumedFrom);
    }
}
