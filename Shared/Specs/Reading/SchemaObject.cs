using System.Text.Json.Nodes;

namespace ScaleOut.Specs.Reading;

/// <summary>Describes the fields of an object as a JSON schema.</summary>
internal sealed class SchemaObject(bool partial) : ISpecObject
{
    private readonly JsonObject _properties = [];
    private readonly JsonArray _required = [];

    public ISpecValue Field(string name, string about) => Describe(name, about, optional: true);

    public ISpecValue Required(string name, string about)
    {
        if (!partial)
            _required.Add(name);
        return Describe(name, about, optional: partial);
    }

    /// <summary>Completes the schema of the object when all fields are named.</summary>
    public void WriteTo(JsonObject schema)
    {
        schema["properties"] = _properties;
        if (_required.Count > 0)
            schema["required"] = _required;
        schema["additionalProperties"] = false;
    }

    private SchemaValue Describe(string name, string about, bool optional)
    {
        var schema = new JsonObject { ["description"] = about };
        _properties[name] = schema;
        return new SchemaValue(schema, optional, partial);
    }
}
