namespace ScaleOut.Tests.Support.Telemetry;

/// <summary>One record that Application Insights received.</summary>
internal sealed class TelemetryRecord(JsonElement envelope)
{
    private JsonElement Data => envelope.GetProperty("data").GetProperty("baseData");

    /// <summary>Such as <c>EventData</c>.</summary>
    public string Type => envelope.GetProperty("data").GetProperty("baseType").GetString()!;

    /// <summary>Number of records that ingestion counts this record for.</summary>
    public double ItemCount => envelope.TryGetProperty("sampleRate", out var rate) ? 100 / rate.GetDouble() : 1;

    public DateTimeOffset Timestamp => envelope.GetProperty("time").GetDateTimeOffset();

    public IReadOnlyDictionary<string, string> Dimensions =>
        Data.GetProperty("properties").EnumerateObject().ToDictionary(property => property.Name, property => property.Value.GetString()!);

    public string? Tag(string name) => envelope.GetProperty("tags").TryGetProperty(name, out var tag) ? tag.GetString() : null;

    public string? Field(string name) => Data.TryGetProperty(name, out var field) ? field.ToString() : null;

    public string? Dimension(string name) => Data.GetProperty("properties").TryGetProperty(name, out var value) ? value.GetString() : null;

    public double Measurement(string name) => Data.GetProperty("measurements").GetProperty(name).GetDouble();

    public IEnumerable<string> Measurements => Data.GetProperty("measurements").EnumerateObject().Select(measurement => measurement.Name);

    /// <summary>Upper bounds in ms and counts.</summary>
    public IReadOnlyList<(double UpperBoundMs, long Count)> Histogram =>
        [.. JsonSerializer.Deserialize<double[][]>(Dimension("histogram")!)!.Select(pair => (pair[0], (long)pair[1]))];
}
