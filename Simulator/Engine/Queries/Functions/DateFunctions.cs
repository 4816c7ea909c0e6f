namespace ScaleOut.Simulator.Engine.Queries.Functions;

/// <summary>Functions on instants: text like <c>2026-11-22T13:00:00.0000000Z</c>, milliseconds, and ticks of 100 ns since 1970.</summary>
internal static class DateFunctions
{
    private const string Form = "yyyy-MM-ddTHH:mm:ss.fffffffZ";

    /// <summary>What is read: the documented form, also without its last parts.</summary>
    private static readonly string[] Forms =
    [
        "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm'Z'", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss'Z'",
        "yyyy-MM-dd'T'HH:mm:ss.FFFFFFF", "yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'",
    ];

    public static readonly Function[] All =
    [
        Now("GETCURRENTDATETIME", ToText), Now("GETCURRENTDATETIMESTATIC", ToText),
        Now("GETCURRENTTIMESTAMP", ToMilliseconds), Now("GETCURRENTTIMESTAMPSTATIC", ToMilliseconds),
        Now("GETCURRENTTICKS", ToTicks), Now("GETCURRENTTICKSSTATIC", ToTicks),
        FromText("DATETIMETOTIMESTAMP", ToMilliseconds), FromText("DATETIMETOTICKS", ToTicks),
        FromNumber("TIMESTAMPTODATETIME", TimeSpan.TicksPerMillisecond), FromNumber("TICKSTODATETIME", 1),
        new("DATETIMEFROMPARTS", 3, 7, FromParts),
        new("DATETIMEADD", 3, 3, Add),
        new("DATETIMEPART", 2, 2, Part),
        new("DATETIMEDIFF", 3, 3, Difference),
    ];

    private static Function Now(string name, Func<DateTimeOffset, Datum> shape) => new(name, 0, 0, (scope, _) => shape(scope.Now));

    private static Function FromText(string name, Func<DateTimeOffset, Datum> shape) => new(name, 1, 1, (_, arguments) =>
        TryRead(arguments[0], out var instant) ? shape(instant) : Datum.Undefined);

    private static Function FromNumber(string name, long ticks) => new(name, 1, 1, (_, arguments) =>
    {
        if (arguments[0].Type != DatumType.Number)
            return Datum.Undefined;
        var sinceStart = (arguments[0].Number * ticks) + DateTimeOffset.UnixEpoch.Ticks;
        return sinceStart >= 0 && sinceStart < DateTimeOffset.MaxValue.Ticks
            ? ToText(DateTimeOffset.UnixEpoch.AddTicks((long)(arguments[0].Number * ticks)))
            : Datum.Undefined;
    });

    private static Datum ToText(DateTimeOffset instant) => Datum.From(instant.UtcDateTime.ToString(Form, CultureInfo.InvariantCulture));

    private static Datum ToMilliseconds(DateTimeOffset instant) => Datum.From(instant.ToUnixTimeMilliseconds());

    private static Datum ToTicks(DateTimeOffset instant) => Datum.From((instant - DateTimeOffset.UnixEpoch).Ticks);

    /// <summary>Reads an instant in UTC. Text with an offset, even <c>+00:00</c>, is none.</summary>
    private static bool TryRead(Datum value, out DateTimeOffset instant)
    {
        instant = default;
        const DateTimeStyles utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        return value.Type == DatumType.Text
            && DateTimeOffset.TryParseExact(value.Text, Forms, CultureInfo.InvariantCulture, utc, out instant);
    }

    /// <summary>Year, month and day, and if they are given hour, minute, second, and a fraction of the second in 100 ns.</summary>
    private static Datum FromParts(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        var parts = new long[7];
        for (var i = 0; i < arguments.Length; i++)
            if (!MathFunctions.TryLong(arguments[i], out parts[i]))
                return Datum.Undefined;
        var text = string.Create(CultureInfo.InvariantCulture,
            $"{parts[0]:D4}-{parts[1]:D2}-{parts[2]:D2}T{parts[3]:D2}:{parts[4]:D2}:{parts[5]:D2}.{parts[6]:D7}Z");
        return TryRead(Datum.From(text), out var instant) ? ToText(instant) : Datum.Undefined;
    }

    private static Datum Add(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || !MathFunctions.TryLong(arguments[1], out var count)
            || !TryRead(arguments[2], out var instant))
            return Datum.Undefined;
        try
        {
            return Unit(arguments[0].Text) switch
            {
                ("year", _) => ToText(instant.AddYears(checked((int)count))),
                ("month", _) => ToText(instant.AddMonths(checked((int)count))),
                ("nanosecond", _) => ToText(instant.AddTicks(count / TimeSpan.NanosecondsPerTick)),
                (_, > 0 and var ticks) => ToText(instant.AddTicks(checked(ticks * count))),
                _ => Datum.Undefined,
            };
        }
        catch (Exception e) when (e is ArgumentOutOfRangeException or OverflowException)
        {
            // As the service does for a date out of its range.
            return Datum.Undefined;
        }
    }

    private static Datum Part(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || !TryRead(arguments[1], out var instant))
            return Datum.Undefined;
        var withinSecond = instant.Ticks % TimeSpan.TicksPerSecond;
        return Unit(arguments[0].Text).Name switch
        {
            "year" => Datum.From(instant.Year),
            "month" => Datum.From(instant.Month),
            "day" => Datum.From(instant.Day),
            "hour" => Datum.From(instant.Hour),
            "minute" => Datum.From(instant.Minute),
            "second" => Datum.From(instant.Second),
            "millisecond" => Datum.From(instant.Millisecond),
            "microsecond" => Datum.From(withinSecond / TimeSpan.TicksPerMicrosecond),
            "nanosecond" => Datum.From(withinSecond * 100),
            "weekday" => Datum.From((int)instant.DayOfWeek + 1),
            _ => Datum.Undefined,
        };
    }

    /// <summary>How many boundaries of the unit lie between two instants.</summary>
    private static Datum Difference(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || !TryRead(arguments[1], out var start)
            || !TryRead(arguments[2], out var end))
            return Datum.Undefined;
        return Unit(arguments[0].Text) switch
        {
            ("year", _) => Datum.From(end.Year - start.Year),
            ("month", _) => Datum.From(((end.Year - start.Year) * 12) + end.Month - start.Month),
            ("nanosecond", _) => Datum.From((end - start).Ticks * 100.0),
            (_, > 0 and var ticks) => Datum.From((end.Ticks / ticks) - (start.Ticks / ticks)),
            _ => Datum.Undefined,
        };
    }

    /// <summary>A unit by one of its names, null for none, and its ticks, 0 if it has no fixed or no whole number of them.</summary>
    private static (string? Name, long Ticks) Unit(string text) => text.ToLowerInvariant() switch
    {
        "year" or "yyyy" or "yy" => ("year", 0),
        "month" or "mm" or "m" => ("month", 0),
        "day" or "dd" or "d" => ("day", TimeSpan.TicksPerDay),
        "hour" or "hh" => ("hour", TimeSpan.TicksPerHour),
        "minute" or "mi" or "n" => ("minute", TimeSpan.TicksPerMinute),
        "second" or "ss" or "s" => ("second", TimeSpan.TicksPerSecond),
        "millisecond" or "ms" => ("millisecond", TimeSpan.TicksPerMillisecond),
        "microsecond" or "mcs" => ("microsecond", TimeSpan.TicksPerMicrosecond),
        "nanosecond" or "ns" => ("nanosecond", 0),
        "weekday" or "dw" or "w" => ("weekday", 0),
        _ => default,
    };
}
