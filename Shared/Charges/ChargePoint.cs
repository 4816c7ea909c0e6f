namespace ScaleOut.Charges;

/// <summary>What a charge model may do with a published figure.</summary>
public enum ChargeUse
{
    /// <summary>The model is made from it.</summary>
    Fit,

    /// <summary>The model never sees it; it shows how far the model is off.</summary>
    HoldOut,
}

/// <summary>A published charge.</summary>
public sealed record ChargePoint
{
    /// <summary>Largest relative error of a held-out point for which no <see cref="Reason"/> has to be given.</summary>
    public const double Tolerance = 0.3;

    /// <summary>What was charged, in a few words.</summary>
    public required string Name { get; init; }

    public required ChargedOperation Operation { get; init; }

    /// <summary>What the source states.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Where it is published, and when.</summary>
    public required string Source { get; init; }

    public required ChargeUse Use { get; init; }

    /// <summary>What the source leaves open and this point assumes; null for nothing.</summary>
    public string? Assumes { get; init; }

    /// <summary>Why the model is off by more than <see cref="Tolerance"/>; null where it is not.</summary>
    public string? Reason { get; init; }

    /// <summary>How far a model's charge lies above the published one, as a part of the latter.</summary>
    public double ErrorOf(ChargeModel model) => (Operation.ChargeBy(model) / RequestUnits) - 1;
}
