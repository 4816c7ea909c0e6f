using System.Text.Json;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Sizing;

/// <summary>
/// Reads price files, such as <c>{"currency": "EUR", "requestUnitPerSecondHour": 0.00007, "instanceSecond": 0.00002}</c>, and names everything that is wrong with
/// one at once. No text makes it throw.
/// </summary>
public static class PriceFile
{
    private const double HighestPrice = 1_000_000;
    private static readonly TextForm Currency = new("a currency such as \"EUR\" (1 to 10 letters)", "^[A-Za-z]{1,10}$", 10);

    /// <summary>Reads the text of a price file.</summary>
    public static PriceReading Read(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var context = new ReadingContext();
        var root = PlanText.Parse(text, context);
        if (context.Faults.Count > 0)
            return new PriceReading(null, context.Faults);
        if (root is null)
            return new PriceReading(null, [new SpecFault("", "a price file is a JSON object, not null")]);

        var prices = new ReadingValue(JsonSerializer.SerializeToElement(root), "", context).Object(Fields);
        return new PriceReading(context.Faults.Count == 0 ? prices : null, context.Faults);
    }

    private static PriceList Fields(ISpecObject prices) => new()
    {
        Currency = prices.Required("currency", "Such as EUR.").Text(Currency) ?? "",
        RequestUnitPerSecondHour = prices.Required("requestUnitPerSecondHour", "Price of one provisioned RU/s for an hour.").Number(0, HighestPrice) ?? 0,
        InstanceSecond = prices.Required("instanceSecond", "Price of one worker instance for a second.").Number(0, HighestPrice) ?? 0,
        Source = prices.Field("source", "Where the prices are from.").Text(TextForm.Free(200)),
    };
}
