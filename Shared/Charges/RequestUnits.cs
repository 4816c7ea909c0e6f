namespace ScaleOut.Charges;

/// <summary>
/// Request units as a whole number of parts, so that sums are exact. A part is 1/2,100 RU: the service counts in 21sts of a RU and states
/// hundredths, and both are whole numbers of parts. JSON has the number of RU.
/// </summary>
[JsonConverter(typeof(RequestUnitsConverter))]
public readonly record struct RequestUnits(long Parts)
{
    /// <summary>Parts of 1 RU.</summary>
    public const int PerUnit = TwentyFirsts * PerTwentyFirst;

    private const int TwentyFirsts = 21;
    private const int PerTwentyFirst = 100;
    private const int PerHundredth = PerUnit / 100;

    public static readonly RequestUnits Zero;

    /// <summary>In RU.</summary>
    public double Value => Parts / (double)PerUnit;

    /// <summary>The nearest hundredth of a RU, halves away from zero, as the service states the charge of a request.</summary>
    public RequestUnits Rounded() => new(Hundredths * PerHundredth);

    /// <summary>Whole hundredths, rounded as in <see cref="Rounded"/>.</summary>
    public long Hundredths => (Parts + (Parts < 0 ? -PerHundredth / 2 : PerHundredth / 2)) / PerHundredth;

    /// <summary>The nearest whole number of parts.</summary>
    public static RequestUnits From(double value) => new((long)Math.Round(value * PerUnit, MidpointRounding.AwayFromZero));

    public static RequestUnits FromTwentyFirsts(long count) => new(count * PerTwentyFirst);

    public static RequestUnits operator +(RequestUnits left, RequestUnits right) => new(left.Parts + right.Parts);

    public static RequestUnits operator *(RequestUnits amount, long factor) => new(amount.Parts * factor);
}

internal sealed class RequestUnitsConverter : JsonConverter<RequestUnits>
{
    public override RequestUnits Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        RequestUnits.From(reader.GetDouble());

    public override void Write(Utf8JsonWriter writer, RequestUnits value, JsonSerializerOptions options) =>
        writer.WriteNumberValue(value.Value);
}
