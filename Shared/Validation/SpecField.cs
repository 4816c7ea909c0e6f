namespace ScaleOut.Validation;

/// <summary>Kinds of fields by their JSON.</summary>
internal enum SpecKind
{
    /// <summary>A whole number, also written as <c>1e6</c> or <c>1.0</c>.</summary>
    Whole,
    Number,
    Flag,
    Text,

    /// <summary>Kept as JSON text without white space.</summary>
    Json,

    /// <summary>A name of an enum in any letter case.</summary>
    Choice,

    /// <summary>A time span in the form of <see cref="DurationText.Pattern"/>.</summary>
    Duration,
    List,

    /// <summary>An array of two numbers, which become a struct.</summary>
    Pair,
    Object,

    /// <summary>An object, or the name of an object: <see cref="INamedSpec{T}"/>.</summary>
    NamedObject,

    /// <summary>A partial object that is kept as it is.</summary>
    Partial,
}

/// <summary>A field of a spec, or the items of a list.</summary>
internal sealed class SpecField
{
    private const int MaxSchemaAddress = 2_000;

    private static readonly ConcurrentDictionary<Type, IReadOnlyList<SpecField>> Known = new();

    private readonly JsonPropertyInfo? _property;

    private SpecField(string name, Type type, SpecFieldAttribute about, JsonPropertyInfo? property = null)
    {
        (Name, About, _property) = (name, about, property);
        Type = Nullable.GetUnderlyingType(type) ?? type;
        IsRequired = about.Required || property?.IsRequired == true;
        Kind = KindOf(Type, property, about);
        if (Kind == SpecKind.List)
            Item = new SpecField(name, Type.GetGenericArguments()[0], about);
        if (Kind == SpecKind.Pair)
            Item = new SpecField(name, typeof(double), about);
        Names = Kind == SpecKind.Choice ? EnumNames.From(Type) : about.Named;
        if (Kind == SpecKind.Text)
            Form = TextForm.From(about.Form) ?? (about.Filled ? TextForm.Filled(about.MaxLength) : TextForm.Free(about.MaxLength));
    }

    /// <summary>The name in JSON, in camelCase.</summary>
    public string Name { get; }

    /// <summary>The type of the values. For a nullable type, the underlying type.</summary>
    public Type Type { get; }

    public SpecFieldAttribute About { get; }

    public bool IsRequired { get; }

    public SpecKind Kind { get; }

    /// <summary>The items of a list or a pair; null for other kinds.</summary>
    public SpecField? Item { get; }

    /// <summary>Values by their names in JSON, for choices and named objects; null for other kinds.</summary>
    public IReadOnlyDictionary<string, object>? Names { get; }

    public TextForm? Form { get; }

    /// <summary>Smallest whole number, by the declaration and by the type.</summary>
    public long MinWhole => (long)Math.Max(About.Min, Type == typeof(int) ? int.MinValue : long.MinValue);

    public long MaxWhole => (long)Math.Min(About.Max, Type == typeof(int) ? int.MaxValue : long.MaxValue);

    public TimeSpan MinTime => TimeSpan.FromSeconds(About.Min);

    public TimeSpan MaxTime => TimeSpan.FromSeconds(About.Max);

    /// <summary>Help of the field. For an enum, it includes the descriptions of the values.</summary>
    public string Help => $"{About.Help} {(Kind == SpecKind.Choice ? EnumNames.HelpOf(Type) : "")}".Trim();

    /// <summary>The fields of a type, in the order of their declarations.</summary>
    public static IReadOnlyList<SpecField> From(Type type) => Known.GetOrAdd(type, Find);

    /// <summary>Creates an object with its defaults. Required fields are empty rather than null.</summary>
    public static object Create(Type type)
    {
        var made = type.GetConstructor(Type.EmptyTypes) is { } constructor
            ? constructor.Invoke(null)
            : RuntimeHelpers.GetUninitializedObject(type);
        foreach (var field in From(type).Where(field => field.IsRequired && field.ValueIn(made) is null))
            field.SetIn(made, field.Blank());
        return made;
    }

    /// <summary>Another object with the same values in the fields.</summary>
    public static object Copy(object value)
    {
        var copy = Create(value.GetType());
        foreach (var field in From(value.GetType()))
            field.SetIn(copy, field.ValueIn(value));
        return copy;
    }

    /// <summary>The substitute for an invalid value.</summary>
    public object? Blank() => Kind switch
    {
        SpecKind.Text => "",
        SpecKind.Json => "null",
        SpecKind.Partial => new JsonObject(),
        SpecKind.List => NewList(),
        SpecKind.NamedObject or SpecKind.Object => Create(Type),
        _ => Activator.CreateInstance(Type),
    };

    /// <summary>An empty list of the items' type.</summary>
    public System.Collections.IList NewList() =>
        (System.Collections.IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(Item!.Type))!;

    public object? ValueIn(object holder) => _property?.Get!(holder);

    public void SetIn(object holder, object? value) => _property?.Set!(holder, value);

    private static List<SpecField> Find(Type type)
    {
        var fields = new List<SpecField>();
        if (type.IsDefined(typeof(SpecDocumentAttribute)))
        {
            var about = new SpecFieldAttribute("Where an editor finds the schema of this file; it has no other effect.")
            {
                MaxLength = MaxSchemaAddress,
            };
            fields.Add(new SpecField("$schema", typeof(string), about));
        }

        fields.AddRange(
            from property in ScaleOutJson.Compact.GetTypeInfo(type).Properties
            from about in property.AttributeProvider!.GetCustomAttributes(typeof(SpecFieldAttribute), inherit: true)
            select new SpecField(property.Name, property.PropertyType, (SpecFieldAttribute)about, property));
        return fields;
    }

    private static SpecKind KindOf(Type type, JsonPropertyInfo? property, SpecFieldAttribute about)
    {
        if (type == typeof(string))
            return property?.CustomConverter is RawJsonConverter ? SpecKind.Json : SpecKind.Text;
        if (type == typeof(int) || type == typeof(long))
            return SpecKind.Whole;
        if (type == typeof(double))
            return SpecKind.Number;
        if (type == typeof(bool))
            return SpecKind.Flag;
        if (type == typeof(TimeSpan))
            return SpecKind.Duration;
        if (type == typeof(JsonObject))
            return SpecKind.Partial;
        if (type.IsEnum)
            return SpecKind.Choice;
        if (type.IsGenericType)
            return SpecKind.List;
        if (type.IsValueType)
            return SpecKind.Pair;
        return about.Named is null ? SpecKind.Object : SpecKind.NamedObject;
    }
}

/// <summary>
/// Declares a property as a field of a spec. Reader, JSON schema, console options, the page's form and the reference are made from these
/// declarations. Name, type and default are those of the property.
/// </summary>
/// <param name="help">One line for editors, console and reference. <c>{0}</c> is replaced by the first of <paramref
/// name="values"/>.</param>
[AttributeUsage(AttributeTargets.Property)]
internal class SpecFieldAttribute(string help, params object[] values) : Attribute
{
    public string Help { get; } = values.Length == 0 ? help : string.Format(CultureInfo.InvariantCulture, help, values);

    /// <summary>Whether a spec must give the field. Not needed for <c>required</c> properties.</summary>
    public bool Required { get; init; }

    /// <summary>The default value to document, if the property itself is null by default.</summary>
    public object? Default { get; init; }

    /// <summary>Smallest number, or seconds of a duration. A list's bounds are those of its items.</summary>
    public double Min { get; init; } = double.NegativeInfinity;

    /// <summary>Largest number, or seconds of a duration.</summary>
    public double Max { get; init; } = double.PositiveInfinity;

    /// <summary>A whole number must be a multiple of this.</summary>
    public int Step { get; init; } = 1;

    /// <summary>Maximum length of a text in Unicode code points, or of JSON in characters.</summary>
    public int MaxLength { get; init; }

    /// <summary>Whether a text must not be empty.</summary>
    public bool Filled { get; init; }

    /// <summary>The form of a text, in place of a length.</summary>
    public FormName Form { get; init; }

    /// <summary>For a field that is stored as JSON: true for a text, a number or a truth value, false for an object.</summary>
    public bool Scalar { get; init; }

    public int MinItems { get; init; }

    public int MaxItems { get; init; }

    /// <summary>Whether the items of a list must differ.</summary>
    public bool Unique { get; init; }

    /// <summary>
    /// Type of an object that is merged over another one of that type. No field in it or in its nested objects is required. A list replaces
    /// the other list, so the required fields of its items are required.
    /// </summary>
    public Type? Partial { get; init; }

    /// <summary>Objects that may be given by their names; null for none.</summary>
    public virtual IReadOnlyDictionary<string, object>? Named => null;
}

/// <summary>Declares a property that is an object, or the name of one of <see cref="INamedSpec{T}.Named"/>.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class NamedSpecFieldAttribute<T>(string help) : SpecFieldAttribute(help)
    where T : class, INamedSpec<T>
{
    public override IReadOnlyDictionary<string, object> Named => T.Named.ToDictionary(value => value.Name!, value => (object)value);
}

/// <summary>A type some of whose objects have names.</summary>
internal interface INamedSpec<T>
    where T : INamedSpec<T>
{
    static abstract IReadOnlyList<T> Named { get; }

    /// <summary>Null for an object that is not in <see cref="Named"/>.</summary>
    string? Name { get; }
}

/// <summary>Declares a type as a spec with a file of its own.</summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class SpecDocumentAttribute(string title, string description) : Attribute
{
    public string Title => title;

    public string Description => description;
}
