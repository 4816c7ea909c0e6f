namespace ScaleOut.Specs.Reading;

/// <summary>Reads one JSON value and notes what is wrong with it.</summary>
/// <param name="element">Null where the spec gives none, which is never an error here.</param>
/// <param name="inPartial">Whether it is part of an object that is laid over another one.</param>
public sealed class ReadingValue(JsonElement? element, string path, ReadingContext context, bool inPartial = false) : ISpecValue
{
    public long? Whole(long minimum, long maximum, long step = 1)
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind != JsonValueKind.Number || WholeNumber.Parse(value.GetRawText()) is not { } number)
            return Error<long?>($"{ErrorText.From(value)} is not a whole number");
        if (number < minimum || number > maximum)
            return Error<long?>(OutOfRange(value, minimum, maximum));
        return number % step == 0 ? number : Error<long?>($"{ErrorText.From(value)} is not a multiple of {step}");
    }

    public double? Number(double minimum, double maximum, bool aboveMinimum = false)
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind != JsonValueKind.Number || !value.TryGetDouble(out var number))
            return Error<double?>($"{ErrorText.From(value)} is not a number");
        if (number >= minimum && number <= maximum && !(aboveMinimum && number == minimum))
            return number;
        return Error<double?>(aboveMinimum
            ? string.Create(CultureInfo.InvariantCulture, $"{ErrorText.From(value)} is out of range: above {minimum}, at most {maximum}")
            : OutOfRange(value, minimum, maximum));
    }

    public bool? Flag() => element?.ValueKind switch
    {
        null => null,
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        _ => Error<bool?>($"{ErrorText.From(element.Value)} is not true or false"),
    };

    public string? Text(TextForm form)
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind == JsonValueKind.String && value.GetString() is { } text && form.Fits(text))
            return text;
        return Error<string>($"{ErrorText.From(value)} is not {form.Expectation}");
    }

    public T? Choice<T>() where T : struct, Enum
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind == JsonValueKind.String && AnyCase.TryFind(EnumNames<T>.All, value.GetString()!, out var choice))
            return choice;
        return Error<T?>(NotOneOf(value, EnumNames<T>.All.Keys));
    }

    public TimeSpan? Duration(TimeSpan minimum, TimeSpan maximum)
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind != JsonValueKind.String || DurationText.Parse(value.GetString()!) is not { } span)
            return Error<TimeSpan?>($"{ErrorText.From(value)} is not a duration such as \"00:00:30\"");
        if (span >= minimum && span <= maximum)
            return span;
        context.Add(path, $"{ErrorText.From(value)} is out of range {DurationText.Format(minimum)}..{DurationText.Format(maximum)}",
            beyondSchema: true);
        return null;
    }

    public T? Nested<T>(Func<ISpecObject, T> fields, bool partial = false) where T : class
    {
        if (element is not { } value)
            return null;
        return value.ValueKind == JsonValueKind.Object
            ? ReadFields(value, fields, partial || inPartial)
            : Error<T>($"{ErrorText.From(value)} is not an object");
    }

    public IReadOnlyList<T>? List<T>(Func<ISpecValue, T> item, int minimumItems, int maximumItems, bool unique = false)
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind != JsonValueKind.Array)
            return Error<IReadOnlyList<T>>($"{ErrorText.From(value)} is not an array");
        var count = value.GetArrayLength();
        if (count < minimumItems || count > maximumItems)
            return Error<IReadOnlyList<T>>($"has {count} items; out of range {minimumItems}..{maximumItems}");

        var items = new List<T>(count);
        var seen = new HashSet<T>();
        foreach (var entry in value.EnumerateArray())
        {
            var itemPath = SpecPath.Item(path, items.Count);
            items.Add(item(new ReadingValue(entry, itemPath, context)));
            if (unique && !context.IsInvalid(itemPath) && !seen.Add(items[^1]))
                context.Add(itemPath, $"{ErrorText.From(entry)} is listed twice");
        }

        return items;
    }

    public T? NameOrObject<T>(IReadOnlyDictionary<string, T> named, Func<ISpecObject, T> fields) where T : class
    {
        if (element is not { } value)
            return null;
        if (value.ValueKind == JsonValueKind.Object)
            return ReadFields(value, fields, inPartial);
        if (value.ValueKind == JsonValueKind.String && AnyCase.TryFind(named, value.GetString()!, out var found))
            return found;
        return Error<T>($"{NotOneOf(value, named.Keys)}, nor an object");
    }

    private T ReadFields<T>(JsonElement value, Func<ISpecObject, T> fields, bool partial)
    {
        var reading = new ReadingObject(value, path, context, partial);
        var read = fields(reading);
        reading.ReportUnknownFields();
        return read;
    }

    public string? RawObject(int longest) => Raw("an object", longest, JsonValueKind.Object);

    public string? Scalar(int longest) => Raw(
        "a text, a number, true or false", longest, JsonValueKind.String, JsonValueKind.Number, JsonValueKind.True, JsonValueKind.False);

    private string? Raw(string expectation, int longest, params ReadOnlySpan<JsonValueKind> kinds)
    {
        if (element is not { } value)
            return null;
        if (!kinds.Contains(value.ValueKind))
            return Error<string>($"{ErrorText.From(value)} is not {expectation}");
        var json = RawJsonConverter.Compact(value);
        if (json.Length <= longest)
            return json;
        context.Add(path, $"has {json.Length} characters of JSON; at most {longest} are taken", beyondSchema: true);
        return null;
    }

    private T? Error<T>(string message)
    {
        context.Add(path, message);
        return default;
    }

    private static string OutOfRange<T>(JsonElement value, T minimum, T maximum) =>
        string.Create(CultureInfo.InvariantCulture, $"{ErrorText.From(value)} is out of range {minimum}..{maximum}");

    private static string NotOneOf(JsonElement value, IEnumerable<string> names)
    {
        var meant = value.ValueKind == JsonValueKind.String ? NearestName.From(value.GetString()!, names) : null;
        return $"{ErrorText.From(value)} is not one of {string.Join(", ", names)}" + (meant is null ? "" : $"; did you mean '{meant}'?");
    }
}

/// <summary>Reads the fields of one JSON object and knows afterwards which ones nobody asked for.</summary>
internal sealed class ReadingObject(JsonElement element, string path, ReadingContext context, bool partial) : ISpecObject
{
    /// <summary>What fields of earlier versions are called now.</summary>
    private static readonly Dictionary<string, string> Renamed = new(StringComparer.Ordinal) { ["population"] = "preload" };

    private readonly List<string> _known = [];

    public ISpecValue Field(string name, string about)
    {
        _known.Add(name);
        var fieldPath = SpecPath.Field(path, name);
        if (!element.TryGetProperty(name, out var value) || value.ValueKind == JsonValueKind.Null)
            return new ReadingValue(null, fieldPath, context, partial);

        context.MarkGiven(fieldPath);
        return new ReadingValue(value, fieldPath, context, partial);
    }

    public ISpecValue Required(string name, string about)
    {
        var value = Field(name, about);
        var fieldPath = SpecPath.Field(path, name);
        if (!partial && !context.IsGiven(fieldPath))
            context.Add(fieldPath, "is missing");
        return value;
    }

    /// <summary>Names the fields that are none of this object's; called when all of its own are read.</summary>
    public void ReportUnknownFields()
    {
        foreach (var property in element.EnumerateObject())
        {
            if (_known.Contains(property.Name))
                continue;
            context.Add(SpecPath.Field(path, property.Name), $"unknown field; {Advice(property.Name)}");
        }
    }

    private string Advice(string unknown)
    {
        if (Renamed.TryGetValue(unknown, out var now) && _known.Contains(now))
            return $"it is called '{now}' now";
        return NearestName.From(unknown, _known) is { } meant
            ? $"did you mean '{meant}'?"
            : $"there are {string.Join(", ", _known.Where(name => name[0] != '$'))}";
    }
}

/// <summary>What is noted while one spec is read.</summary>
public sealed class ReadingContext
{
    private readonly List<ValidationError> _errors = [];
    private readonly HashSet<string> _invalid = new(StringComparer.Ordinal);
    private readonly HashSet<string> _given = new(StringComparer.Ordinal);

    public IReadOnlyList<ValidationError> Errors => _errors;

    public void Add(string path, string message, bool beyondSchema = false)
    {
        _errors.Add(new ValidationError(path, message, beyondSchema));
        _invalid.Add(path);
    }

    /// <summary>What was read, unless something is wrong with it.</summary>
    public ReadResult<T> Result<T>(T? value) where T : class => new(_errors.Count == 0 ? value : null, _errors);

    public void MarkGiven(string path) => _given.Add(path);

    /// <summary>Whether the spec itself gives a value here.</summary>
    public bool IsGiven(string path) => _given.Contains(path);

    /// <summary>Whether the value here, or one that holds it, is invalid, so that nothing can be said about it.</summary>
    public bool IsInvalid(string path)
    {
        for (var end = path.Length; end > 0; end = path.LastIndexOfAny(['.', '['], end - 1))
        {
            if (_invalid.Contains(path[..end]))
                return true;
        }

        return _invalid.Contains("");
    }
}
