namespace ScaleOut.Validation;

/// <summary>Reads JSON into the fields that a type declares (<see cref="SpecFieldAttribute"/>), and collects errors.</summary>
internal sealed class SpecReading(ReadingContext context)
{
    /// <summary>Reads the fields of a JSON object. Fields that are left out or invalid keep their defaults.</summary>
    public T Read<T>(JsonElement value, string path) where T : class =>
        (T)ReadObject(value, path, typeof(T), partial: false, SpecField.Create(typeof(T)));

    /// <param name="defaults">The object to fill with the values of the JSON.</param>
    private object ReadObject(JsonElement value, string path, Type type, bool partial, object defaults)
    {
        var fields = SpecField.From(type);
        foreach (var field in fields)
        {
            var fieldPath = SpecPath.Field(path, field.Name);
            if (value.TryGetProperty(field.Name, out var given) && given.ValueKind != JsonValueKind.Null)
            {
                context.MarkGiven(fieldPath);
                if (ReadValue(given, fieldPath, field, partial, field.ValueIn(defaults)) is { } valid)
                    field.SetIn(defaults, valid);
            }
            else if (field.IsRequired && !partial)
            {
                context.Add(fieldPath, "is missing");
            }
        }

        ReportUnknownFields(value, path, [.. fields.Select(field => field.Name)]);
        return defaults;
    }

    /// <summary>Reads a value. Returns null and adds an error if it is invalid.</summary>
    private object? ReadValue(JsonElement value, string path, SpecField field, bool partial, object? defaults) => field.Kind switch
    {
        SpecKind.Whole => Whole(value, path, field),
        SpecKind.Number => Number(value, path, field.About),
        SpecKind.Flag when value.ValueKind is JsonValueKind.True or JsonValueKind.False => value.GetBoolean(),
        SpecKind.Flag => Error(path, $"{ErrorText.From(value)} is not true or false"),
        SpecKind.Text when value.ValueKind == JsonValueKind.String && field.Form!.Fits(value.GetString()!) => value.GetString(),
        SpecKind.Text => Error(path, $"{ErrorText.From(value)} is not {field.Form!.Expectation}"),
        SpecKind.Json => Json(value, path, field.About),
        SpecKind.Choice => NameIn(value, field) ?? Error(path, NotOneOf(value, field.Names!.Keys)),
        SpecKind.Duration => Duration(value, path, field),
        SpecKind.List => List(value, path, field),
        SpecKind.Pair => Pair(value, path, field),
        SpecKind.NamedObject when value.ValueKind != JsonValueKind.Object =>
            NameIn(value, field) ?? Error(path, $"{NotOneOf(value, field.Names!.Keys)}, nor an object"),
        _ when value.ValueKind != JsonValueKind.Object => Error(path, $"{ErrorText.From(value)} is not an object"),
        SpecKind.Partial => Partial(value, path, field),
        _ => ReadObject(value, path, field.Type, partial || field.About.Partial is not null, StartOf(field, defaults)),
    };

    private static object StartOf(SpecField field, object? defaults) =>
        defaults is null || field.Kind == SpecKind.NamedObject ? SpecField.Create(field.Type) : SpecField.Copy(defaults);

    private object? Whole(JsonElement value, string path, SpecField field)
    {
        if (value.ValueKind != JsonValueKind.Number || WholeNumber.Parse(value.GetRawText()) is not { } number)
            return Error(path, $"{ErrorText.From(value)} is not a whole number");
        if (number < field.MinWhole || number > field.MaxWhole)
            return Error(path, OutOfRange(value, field.MinWhole, field.MaxWhole));
        return number % field.About.Step == 0
            ? Convert.ChangeType(number, field.Type, CultureInfo.InvariantCulture)
            : Error(path, $"{ErrorText.From(value)} is not a multiple of {field.About.Step}");
    }

    private object? Number(JsonElement value, string path, SpecFieldAttribute about)
    {
        if (value.ValueKind != JsonValueKind.Number || !value.TryGetDouble(out var number))
            return Error(path, $"{ErrorText.From(value)} is not a number");
        return number >= about.Min && number <= about.Max ? number : Error(path, OutOfRange(value, about.Min, about.Max));
    }

    private object? Json(JsonElement value, string path, SpecFieldAttribute about)
    {
        var isKind = about.Scalar
            ? value.ValueKind is JsonValueKind.String or JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False
            : value.ValueKind == JsonValueKind.Object;
        if (!isKind)
            return Error(path, $"{ErrorText.From(value)} is not {(about.Scalar ? "a text, a number, true or false" : "an object")}");
        var json = RawJsonConverter.Compact(value);
        return json.Length <= about.MaxLength
            ? json
            : Error(path, $"has {json.Length} characters of JSON; at most {about.MaxLength} are allowed", beyondSchema: true);
    }

    private object? Duration(JsonElement value, string path, SpecField field)
    {
        if (value.ValueKind != JsonValueKind.String || DurationText.Parse(value.GetString()!) is not { } span)
            return Error(path, $"{ErrorText.From(value)} is not a duration such as \"00:00:30\" or \"30s\"");
        return span >= field.MinTime && span <= field.MaxTime
            ? span
            : Error(
                path,
                $"{ErrorText.From(value)} is out of range {DurationText.Format(field.MinTime)}..{DurationText.Format(field.MaxTime)}",
                beyondSchema: true);
    }

    private object? List(JsonElement value, string path, SpecField field)
    {
        if (!IsArray(value, path, field.About.MinItems, field.About.MaxItems))
            return null;
        var items = field.NewList();
        var seen = new HashSet<object?>();
        foreach (var entry in value.EnumerateArray())
        {
            var itemPath = SpecPath.Item(path, items.Count);
            var item = ReadValue(entry, itemPath, field.Item!, partial: false, defaults: null);
            items.Add(item ?? field.Item!.Blank());
            if (item is not null && field.About.Unique && !seen.Add(item))
                context.Add(itemPath, $"{ErrorText.From(entry)} is listed twice");
        }

        return items;
    }

    private object? Pair(JsonElement value, string path, SpecField field)
    {
        if (!IsArray(value, path, 2, 2))
            return null;
        var numbers = value.EnumerateArray()
            .Select((number, index) => ReadValue(number, SpecPath.Item(path, index), field.Item!, partial: false, defaults: null) ?? 0.0)
            .ToArray();
        return Activator.CreateInstance(field.Type, numbers);
    }

    private JsonObject Partial(JsonElement value, string path, SpecField field)
    {
        var type = field.About.Partial!;
        ReadObject(value, path, type, partial: true, SpecField.Create(type));
        return JsonObject.Create(value)!.DeepClone().AsObject();
    }

    private bool IsArray(JsonElement value, string path, int minItems, int maxItems)
    {
        if (value.ValueKind != JsonValueKind.Array)
            context.Add(path, $"{ErrorText.From(value)} is not an array");
        else if (value.GetArrayLength() is var count && (count < minItems || count > maxItems))
            context.Add(path, $"has {count} items; out of range {minItems}..{maxItems}");
        else
            return true;
        return false;
    }

    private object? Error(string path, string message, bool beyondSchema = false)
    {
        context.Add(path, message, beyondSchema);
        return null;
    }

    private static string OutOfRange<T>(JsonElement value, T minimum, T maximum) =>
        string.Create(CultureInfo.InvariantCulture, $"{ErrorText.From(value)} is out of range {minimum}..{maximum}");

    private static object? NameIn(JsonElement value, SpecField field) => value.ValueKind == JsonValueKind.String
        ? field.Names!.FirstOrDefault(name => Ascii.EqualsIgnoreCase(name.Key, value.GetString()!)).Value
        : null;

    private static string NotOneOf(JsonElement value, IEnumerable<string> names)
    {
        var meant = value.ValueKind == JsonValueKind.String ? NearestName.From(value.GetString()!, names) : null;
        return $"{ErrorText.From(value)} is not one of {string.Join(", ", names)}" + (meant is null ? "" : $"; did you mean '{meant}'?");
    }

    private void ReportUnknownFields(JsonElement value, string path, List<string> known)
    {
        foreach (var property in value.EnumerateObject().Where(property => !known.Contains(property.Name)))
            context.Add(SpecPath.Field(path, property.Name), $"unknown field; {RenamedFields.Advice(property.Name, known)}");
    }
}

/// <summary>The errors and the given fields of one spec while it is read.</summary>
public sealed class ReadingContext
{
    /// <summary>Errors that are named one by one. A file of another kind has one for each of its fields.</summary>
    private const int MaxErrors = 100;

    private readonly List<ValidationError> _errors = [];
    private long _more;
    private readonly HashSet<string> _invalid = new(StringComparer.Ordinal);
    private readonly HashSet<string> _given = new(StringComparer.Ordinal);

    public IReadOnlyList<ValidationError> Errors => _more == 0
        ? _errors : [.. _errors, new ValidationError("", string.Create(CultureInfo.InvariantCulture, $"{_more:#,0} more errors"))];

    public void Add(string path, string message, bool beyondSchema = false)
    {
        if (_errors.Count < MaxErrors)
            _errors.Add(new ValidationError(path, message, beyondSchema));
        else
            _more++;
        _invalid.Add(path);
    }

    /// <summary>
    /// Adds an error for a broken rule that a schema cannot express, unless the field or one that the rule rests on is invalid.
    /// </summary>
    /// <param name="path">Path of the field to report.</param>
    /// <param name="restsOn">Paths of other fields that the rule depends on.</param>
    public void Rule(bool broken, string path, string message, params IEnumerable<string> restsOn)
    {
        if (broken && !IsInvalid(path) && !restsOn.Any(IsInvalid))
            Add(path, message, beyondSchema: true);
    }

    /// <summary>The result: the value if there are no errors, or the errors.</summary>
    public ReadResult<T> Result<T>(T? value) where T : class => new(_errors.Count == 0 ? value : null, Errors);

    public void MarkGiven(string path) => _given.Add(path);

    public bool IsGiven(string path) => _given.Contains(path);

    /// <summary>Whether the value at a path, or one that contains it, is invalid, so that it cannot be checked further.</summary>
    public bool IsInvalid(string path)
    {
        for (var end = path.Length; end > 0; end = path.LastIndexOfAny(['.', '['], end - 1))
        {
            if (_invalid.Contains(path[..end]))
                return true;
        }

        return _invalid.Contains("");
    }

    /// <summary>Whether the value at a path, a value that contains it, or a value within it is invalid.</summary>
    public bool IsInvalidWithin(string path) => IsInvalid(path)
        || _errors.Exists(error => error.Path.StartsWith(path, StringComparison.Ordinal) && error.Path.Length > path.Length
            && error.Path[path.Length] is ('.' or '['));
}
