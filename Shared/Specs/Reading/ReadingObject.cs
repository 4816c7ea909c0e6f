using System.Text.Json;
using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

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
