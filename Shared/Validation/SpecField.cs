using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace ScaleOut.Validation;

/// <summary>How a field's JSON is read.</summary>
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

    /// <summary>A time span as <c>hh:mm:ss</c>, with up to seven decimals.</summary>
    Duration,
    List,

    /// <summary>An array of two numbers, which make a struct.</summary>
    Pair,
    Object,

    /// <summary>An object, or the <c>Name</c> of one of those that its type lists as <c>Named</c>.</summary>
    NamedObject,

    /// <summary>A partial object that is kept as it is.</summary>
    Partial,
}

/// <summary>A field of a spec, or the items of a list.</summary>
internal sealed class SpecField
{
    private const int MaxSchemaAddress = 2_000;

    private static readonly ConcurrentDictionary<Type, IReadOnlyList<SpecField>> Known = new();

    private readonly PropertyInfo? _property;

    private SpecField(string name, Type type, SpecFieldAttribute about, PropertyInfo? property = null)
    {
        (Name, About, _property) = (name, about, property);
        Type = Nullable.GetUnderlyingType(type) ?? type;
        IsRequired = about.Required || property?.IsDefined(typeof(RequiredMemberAttribute)) == true;
        Kind = KindOf(Type, property);
        if (Kind == SpecKind.List)
            Item = new SpecField(name, Type.GetGenericArguments()[0], about);
        if (Kind == SpecKind.Pair)
            Item = new SpecField(name, typeof(double), about);
        Names = Kind == SpecKind.Choice ? EnumNames.From(Type) : Kind == SpecKind.NamedObject ? NamedOf(Type) : null;
        Form = Kind != SpecKind.Text ? null
            : about.Form is { } form ? TextForm.Named(form)
            : about.Filled ? TextForm.Filled(about.MaxLength) : TextForm.Free(about.MaxLength);
    }

    /// <summary>In camelCase.</summary>
    public string Name { get; }

    /// <summary>Without the mark of what may be null.</summary>
    public Type Type { get; }

    public SpecFieldAttribute About { get; }

    public bool IsRequired { get; }

    public SpecKind Kind { get; }

    /// <summary>Of a list and of a pair.</summary>
    public SpecField? Item { get; }

    /// <summary>Values by the names that JSON gives them.</summary>
    public IReadOnlyDictionary<string, object>? Names { get; }

    public TextForm? Form { get; }

    /// <summary>Smallest whole number, which the type bounds too.</summary>
    public long MinWhole => (long)Math.Max(About.Min, Type == typeof(int) ? int.MinValue : long.MinValue);

    public long MaxWhole => (long)Math.Min(About.Max, Type == typeof(int) ? int.MaxValue : long.MaxValue);

    public TimeSpan MinTime => TimeSpan.FromSeconds(About.Min);

    public TimeSpan MaxTime => TimeSpan.FromSeconds(About.Max);

    /// <summary>Help of the field; of an enum whose values are described, with these descriptions.</summary>
    public string Help => $"{About.Help} {(Kind == SpecKind.Choice ? EnumNames.HelpOf(Type) : "")}".Trim();

    /// <summary>The fields of a type, in the order in which it declares them.</summary>
    public static IReadOnlyList<SpecField> From(Type type) => Known.GetOrAdd(type, Find);

    /// <summary>An object with its defaults. What must be given is empty rather than null.</summary>
    public static object Create(Type type)
    {
        var made = type.GetConstructor(Type.EmptyTypes) is { } constructor
            ? constructor.Invoke(null)
            : RuntimeHelpers.GetUninitializedObject(type);
        foreach (var field in From(type).Where(field => field.IsRequired && field.ValueIn(made) is null))
            field.SetIn(made, field.Blank());
        return made;
    }

    /// <summary>What stands for a value that is invalid.</summary>
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

    public object? ValueIn(object holder) => _property?.GetValue(holder);

    public void SetIn(object holder, object? value) => _property?.SetValue(holder, value);

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
            from property in type.GetProperties().OrderBy(property => property.MetadataToken)
            let about = property.GetCustomAttribute<SpecFieldAttribute>()
            where about is not null
            select new SpecField(JsonNamingPolicy.CamelCase.ConvertName(property.Name), property.PropertyType, about, property));
        return fields;
    }

    private static SpecKind KindOf(Type type, PropertyInfo? property) =>
        type == typeof(int) || type == typeof(long) ? SpecKind.Whole
        : type == typeof(double) ? SpecKind.Number
        : type == typeof(bool) ? SpecKind.Flag
        : type == typeof(string) ? property?.IsDefined(typeof(JsonConverterAttribute)) == true ? SpecKind.Json : SpecKind.Text
        : type.IsEnum ? SpecKind.Choice
        : type == typeof(TimeSpan) ? SpecKind.Duration
        : type == typeof(JsonObject) ? SpecKind.Partial
        : type.IsGenericType ? SpecKind.List
        : type.IsValueType ? SpecKind.Pair
        : type.GetField("Named") is not null ? SpecKind.NamedObject
        : SpecKind.Object;

    private static Dictionary<string, object> NamedOf(Type type) => ((IEnumerable<object>)type.GetField("Named")!.GetValue(null)!)
        .ToDictionary(value => (string)type.GetProperty("Name")!.GetValue(value)!);
}
