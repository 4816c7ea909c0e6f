using System.Globalization;
using ScaleOut.Validation;

namespace ScaleOut.Specs;

/// <summary>
/// Which measured profile the physics of a simulated account were taken from. It describes them for reports and changes nothing.
/// </summary>
public sealed record ProfileReference
{
    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <summary>How <see cref="MeasuredAt"/> is written.</summary>
    internal static readonly TextForm InstantForm = new(
        "an instant in UTC such as \"2026-11-22T17:00:00Z\"",
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", 20);

    /// <summary>The profile's name, 1 to 200 characters.</summary>
    public required string Name { get; init; }

    /// <summary>When it was measured, such as <c>2026-11-22T17:00:00Z</c>.</summary>
    public required string MeasuredAt { get; init; }

    /// <summary>Host of the account that was measured, 1 to 200 characters.</summary>
    public required string Account { get; init; }

    /// <summary>The account's region, up to 200 characters; null where it is not known.</summary>
    public string? Region { get; init; }

    /// <summary>An instant as <see cref="MeasuredAt"/> has it.</summary>
    public static string TextOf(DateTimeOffset instant) => instant.UtcDateTime.ToString(Format, CultureInfo.InvariantCulture);

    /// <summary><see cref="MeasuredAt"/>; null where its digits are no instant.</summary>
    public DateTimeOffset? Instant() =>
        DateTimeOffset.TryParseExact(MeasuredAt, Format, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var instant)
            ? instant
            : null;
}
