using Newtonsoft.Json;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>A small document.</summary>
public sealed record Item
{
    [JsonProperty("id")]
    public required string Id { get; init; }

    [JsonProperty("pk")]
    public required string Key { get; init; }

    [JsonProperty("value")]
    public int Value { get; init; }

    [JsonProperty("text")]
    public string Text { get; init; } = "";
}
