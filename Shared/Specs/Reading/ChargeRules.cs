using ScaleOut.Charges;
using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>What holds between the points of a table of charges: sizes ascend, charges do not fall.</summary>
/// <param name="charges">Invalid fields hold their defaults.</param>
/// <param name="checks">Receives the errors.</param>
internal sealed class ChargeRules(ChargeSpec charges, RuleChecks checks)
{
    private const string Path = "simulation.charges";

    public void Check()
    {
        Check($"{Path}.readPoints", charges.ReadPoints);
        Check($"{Path}.writePoints", charges.WritePoints);
    }

    private void Check(string path, IReadOnlyList<SizeCharge>? points)
    {
        if (points is null || checks.IsInvalid(path))
            return;
        for (var i = 1; i < points.Count; i++)
        {
            var (before, item) = (SpecPath.Item(path, i - 1), SpecPath.Item(path, i));
            if (checks.IsInvalidWithin(before) || checks.IsInvalidWithin(item))
                continue;
            checks.Rule(points[i].Bytes <= points[i - 1].Bytes, $"{item}.bytes",
                $"{points[i].Bytes} is not more than the {points[i - 1].Bytes} of the point before it: list the points by ascending size");
            checks.Rule(points[i].RequestUnits < points[i - 1].RequestUnits, $"{item}.requestUnits",
                FormattableString.Invariant(
                    $"{points[i].RequestUnits} is less than the {points[i - 1].RequestUnits} of the smaller point before it"));
        }
    }
}
