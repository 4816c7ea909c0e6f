using System.Globalization;
using ScaleOut.Analysis.Text;
using ScaleOut.Validation;

namespace ScaleOut.Analysis.Sizing;

/// <summary>What a sizing can be asked.</summary>
public static class SizingRules
{
    private const double MostInserts = 1e9;
    private const long MostDocuments = 1_000_000_000_000_000;
    private const double MostHeadroom = 0.9;

    /// <summary>Everything that is wrong with a request, by field.</summary>
    public static IReadOnlyList<ValidationError> Check(SizingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var errors = new List<ValidationError>();
        void Expect(bool holds, string field, FormattableString message)
        {
            if (!holds)
                errors.Add(new ValidationError(field, message.ToString(CultureInfo.InvariantCulture)));
        }

        Expect(
            request.InsertsPerSecond is > 0 and <= MostInserts, "insertsPerSecond",
            $"{request.InsertsPerSecond} is out of range: above 0, at most {MostInserts}");
        Expect(
            request.Documents is null or (>= 1 and <= MostDocuments), "documents",
            $"{request.Documents} is out of range 1..{Numbers.Count(MostDocuments)}");
        Expect(request.Headroom is >= 0 and <= MostHeadroom, "headroom", $"{request.Headroom} is out of range 0..{MostHeadroom}");
        if (request.Prices is { } prices)
        {
            Expect(
                prices.RequestUnitPerSecondHour >= 0 && double.IsFinite(prices.RequestUnitPerSecondHour), "prices.requestUnitPerSecondHour",
                $"{prices.RequestUnitPerSecondHour} is no price");
            Expect(
                prices.InstanceSecond >= 0 && double.IsFinite(prices.InstanceSecond), "prices.gigabyteSecond",
                $"{prices.GigabyteSecond} is no price");
        }

        return errors;
    }
}
