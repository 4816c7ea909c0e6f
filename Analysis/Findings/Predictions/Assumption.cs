namespace ScaleOut.Analysis.Findings.Predictions;

/// <summary>Why an effect follows from parameters of the simulated account, and what they alone predict of it.</summary>
/// <param name="Parameters">Such as <c>gatewayHopMs = 2</c>.</param>
/// <param name="Predicted">The effect by them alone, a ratio as the finding's own; null where they give no figure.</param>
internal sealed record Assumption(string Parameters, double? Predicted)
{
    /// <summary>What follows from the charges of two specs, which are named in the text.</summary>
    /// <param name="parameter">What sets the charge, such as <c>the RU of an indexed term</c>.</param>
    /// <param name="baseline">The first variant.</param>
    /// <param name="changed">The second variant.</param>
    /// <param name="predicted">The effect by the parameters alone.</param>
    public static Assumption FromCharges(string parameter, string one, RunSpec baseline, RunSpec changed, double? predicted) => new(
        string.Create(
            CultureInfo.InvariantCulture,
            $"{parameter}: {one} costs {PredictedRate.ChargeOf(baseline):0.##} RU, then {PredictedRate.ChargeOf(changed):0.##} RU"),
        predicted);
}
