namespace ScaleOut.Experiments;

/// <summary>An experiment's end in a few words and numbers; the report has the rest.</summary>
public sealed record ExperimentOutcome
{
    public required string ExperimentId { get; init; }

    public required ExperimentState State { get; init; }

    /// <summary>Runs that the spec asks for.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that are complete.</summary>
    public required int Complete { get; init; }

    /// <summary>Runs that ended in any other way.</summary>
    public required int NotComplete { get; init; }

    /// <summary>Runs that cannot be measured where the experiment ran.</summary>
    public required int NotTestable { get; init; }

    /// <summary>Findings by verdict, such as <c>supported</c>.</summary>
    public IReadOnlyDictionary<string, int> Verdicts { get; init; } = new Dictionary<string, int>();
}
