namespace ScaleOut.Specs;

/// <summary>A partial <see cref="ClientSpec"/>: what is null stays as the run has it.</summary>
public sealed record ClientOverride
{
    public ConnectionMode? ConnectionMode { get; init; }

    public int? Concurrency { get; init; }

    public ConsistencyLevel? Consistency { get; init; }

    public int? MaxConnections { get; init; }

    public bool? ContentResponseOnWrite { get; init; }

    public double? Rate { get; init; }

    public int? Cores { get; init; }
}
