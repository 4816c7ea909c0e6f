namespace ScaleOut.Validation;

/// <summary>
/// Declares a property as a field of a spec. Reader, JSON schema, console options, the page's form and the reference are made from these
/// declarations. Name, type and default are those of the property.
/// </summary>
/// <param name="help">One line for editors, console and reference, with <c>{0}</c> for the first of <paramref name="values"/>.</param>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class SpecFieldAttribute(string help, params object[] values) : Attribute
{
    public string Help { get; } = values.Length == 0 ? help : string.Format(CultureInfo.InvariantCulture, help, values);

    /// <summary>Whether a spec must give the field, as it must where the property is <c>required</c>.</summary>
    public bool Required { get; init; }

    /// <summary>What holds when the field is left out, where the property is null then.</summary>
    public object? Default { get; init; }

    /// <summary>Smallest number, or seconds of a duration. A list's bounds are those of its items.</summary>
    public double Min { get; init; } = double.NegativeInfinity;

    /// <summary>Largest number, or seconds of a duration.</summary>
    public double Max { get; init; } = double.PositiveInfinity;

    /// <summary>Whether <see cref="Min"/> itself is out of range.</summary>
    public bool AboveMin { get; init; }

    /// <summary>A whole number is a multiple of it.</summary>
    public int Step { get; init; } = 1;

    /// <summary>Longest text in Unicode code points, or longest JSON in characters.</summary>
    public int MaxLength { get; init; }

    /// <summary>Whether a text may not be empty.</summary>
    public bool Filled { get; init; }

    /// <summary>Name of a <see cref="TextForm"/>, in place of a length.</summary>
    public string? Form { get; init; }

    /// <summary>Whether a field that is kept as JSON is a text, a number or a truth value; else it is an object.</summary>
    public bool Scalar { get; init; }

    public int MinItems { get; init; }

    public int MaxItems { get; init; }

    /// <summary>Whether a list holds each item once.</summary>
    public bool Unique { get; init; }

    /// <summary>
    /// Type of an object that is laid over another one of that type: nothing in it, nor in its objects, must be given. A list replaces the
    /// other's, so its items are whole.
    /// </summary>
    public Type? Partial { get; init; }
}

/// <summary>Declares a type as a spec that stands in a file of its own.</summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class SpecDocumentAttribute(string title, string description) : Attribute
{
    public string Title => title;

    public string Description => description;
}
