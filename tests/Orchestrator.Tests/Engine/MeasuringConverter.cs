using System.Text;
using Microsoft.DurableTask;
using Microsoft.DurableTask.Converters;
using ScaleOut.Json;

namespace ScaleOut.Orchestrator.Tests.Engine;

/// <summary>Writes payloads as the Function App does, and measures each.</summary>
internal sealed class MeasuringConverter(EngineTraffic traffic) : DataConverter
{
    private readonly JsonDataConverter _json = new(ScaleOutJson.Compact);

    public override string? Serialize(object? value)
    {
        var text = _json.Serialize(value);
        if (text is not null)
            traffic.AddPayload(value!.GetType(), Encoding.UTF8.GetByteCount(text));
        return text;
    }

    public override object? Deserialize(string? data, Type targetType) => _json.Deserialize(data, targetType);
}
