using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>One step of a step load. Exactly one of <see cref="Users"/>, <see cref="Concurrency"/> and <see cref="Rate"/> is given, the same in all steps.</summary>
public sealed record StepSpec
{
    /// <summary>Operations in flight over the whole run, spread evenly over its workers, 0 to 100,000: each stands for a user who waits for the answer, thinks and goes on.</summary>
    public int? Users { get; init; }

    /// <summary>Operations in flight per worker, 0 to 100,000.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Open loop: documents per second and worker, above 0 to 1,000,000.</summary>
    public double? Rate { get; init; }

    /// <summary>1 s to 24 h.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Operations in flight of one worker; null in an open loop.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    /// <param name="workers">Workers of the run.</param>
    public int? ConcurrencyOf(int worker, int workers) =>
        Users is { } users ? (users / workers) + (worker < users % workers ? 1 : 0) : Concurrency;

    /// <summary>Which field it gives.</summary>
    [JsonIgnore]
    internal string Measure => Users is not null ? "users" : Concurrency is not null ? "concurrency" : "rate";
}
