namespace ScaleOut.Specs.Reading;

/// <summary>
/// One JSON object of a spec while its fields are named one by one. The same code that names them reads a spec
/// (<see cref="ReadingObject"/>) and describes all specs as a JSON schema (<see cref="SchemaObject"/>), so the two cannot differ.
/// </summary>
public interface ISpecObject
{
    /// <summary>A field that may be left out or null.</summary>
    /// <param name="name">In camelCase.</param>
    /// <param name="about">One line for the editor's tool tip.</param>
    ISpecValue Field(string name, string about);

    /// <summary>A field that must be given.</summary>
    /// <param name="name">In camelCase.</param>
    /// <param name="about">One line for the editor's tool tip.</param>
    ISpecValue Required(string name, string about);
}

/// <summary>
/// One JSON value of a spec, asked for its type once. Null comes back where it is absent or invalid, and always while a schema is
/// described.
/// </summary>
public interface ISpecValue
{
    /// <summary>A whole number, also written as <c>1e6</c> or <c>1.0</c>.</summary>
    long? Whole(long minimum, long maximum, long step = 1);

    /// <param name="minimum">Smallest value, or the bound that it lies above.</param>
    /// <param name="aboveMinimum">Whether the minimum itself is out of range.</param>
    double? Number(double minimum, double maximum, bool aboveMinimum = false);

    bool? Flag();

    string? Text(TextForm form);

    /// <summary>A name of the enum as it is written, in any letter case.</summary>
    T? Choice<T>() where T : struct, Enum;

    /// <summary>A time span as <c>hh:mm:ss</c>, with up to seven decimals.</summary>
    TimeSpan? Duration(TimeSpan minimum, TimeSpan maximum);

    /// <summary>An object.</summary>
    /// <param name="partial">Whether it is laid over another one: nothing in it, nor in its objects, must be given, as the other may give
    /// it. A list replaces the other's, so its items are whole.</param>
    T? Nested<T>(Func<ISpecObject, T> fields, bool partial = false) where T : class;

    /// <summary>An array whose items are read by <paramref name="item"/>.</summary>
    IReadOnlyList<T>? List<T>(Func<ISpecValue, T> item, int minimumItems, int maximumItems, bool unique = false);

    /// <summary>One of some names, or an object in its place.</summary>
    T? NameOrObject<T>(IReadOnlyDictionary<string, T> named, Func<ISpecObject, T> fields) where T : class;

    /// <summary>Any object, as its JSON without white space.</summary>
    string? RawObject(int longest);

    /// <summary>A text, a number or a truth value, as its JSON.</summary>
    string? Scalar(int longest);
}

/// <summary>Values under the names that specs give them.</summary>
internal static class SpecNames
{
    public static string From<T>(T value) where T : struct, Enum =>
        EnumNames<T>.All.First(pair => EqualityComparer<T>.Default.Equals(pair.Value, value)).Key;
}
